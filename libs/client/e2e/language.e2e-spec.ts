import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import { custom, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { readFlows } from '../src/index.js';
import { ClientFixture } from './client-fixture.js';

const title = (value: string) => ({ sid: 'title', type: 'string' as const, value });
const greeting: FlowDefinition = {
  ...defineFlow({
    flow: 'greeting',
    blocks: {
      hello: custom({ go: 'bye' }, [title('Hello')]),
      bye: custom({ done: 'finish' }, [title('Bye')]),
    },
  }),
  language: 'en',
  languages: [
    {
      language: 'de',
      blocks: [
        { id: 'hello', fields: [title('Hallo')] },
        { id: 'bye', fields: [title('Tschüss')] },
      ],
    },
  ],
};

let fixture: ClientFixture;
beforeAll(async () => {
  fixture = await ClientFixture.open(greeting);
});
afterAll(() => fixture.close());

test('texts are read and pushed in the language that the page asked for (X3)', async () => {
  const user = await fixture.newUser();
  const page = fixture.openPage(user, { flows: ['greeting'], language: 'de-AT,fr' });
  await page.ready;
  expect(page.flow('greeting').get().language).toBe('de');
  expect(page.block('greeting.hello').get().fields['title']).toBe('Hallo');
  await page.block('greeting.hello').get().transition('go');
  await until(() => page.block('greeting.bye').get().active);
  expect(page.block('greeting.bye').get().fields['title']).toBe('Tschüss');
});

test('a server reads in the language that it is given, else in that of the flow (X3)', async () => {
  const access = { url: fixture.service.url, key: fixture.key, user: await fixture.newUser() };
  const read = (language?: string) => readFlows({ ...access, language, flows: ['greeting'] });
  expect((await read('de')).flows[0]).toMatchObject({ language: 'de' });
  expect((await read()).flows[0]).toMatchObject({ language: 'en' });
});
