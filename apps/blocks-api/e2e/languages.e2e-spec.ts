import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import type { BlockView } from '@waymark/domain/states';
import { custom, defineFlow } from '@waymark/testing/builders';
import { BlocksService } from './blocks-service.js';
import { LiveClient, type LiveClientOptions } from './live-client.js';

const title = (value: string) => ({ sid: 'title', type: 'string' as const, value });
const english = defineFlow({
  flow: 'english',
  blocks: { alone: custom({ done: 'finish' }, [title('Alone')]) },
});
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
    { language: 'pt-BR', blocks: [{ id: 'hello', fields: [title('Olá')] }] },
  ],
};

let api: BlocksService;
let user: string;
let count = 0;
const clients: LiveClient[] = [];

beforeAll(async () => {
  api = await BlocksService.open();
  await api.fixture.commit(english);
  await api.fixture.commit(greeting);
  await api.fixture.commit(personal);
});
afterAll(() => api.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await api.fixture.identify(user);
});
afterEach(() => clients.splice(0).forEach((client) => client.close()));

interface Seen {
  language?: string;
  blocks: { language?: string; fields: { value: string }[] }[];
}
const seen = ({ language, blocks }: Seen) => [
  language,
  ...blocks.map((block) => `${block.language}: ${block.fields[0]!.value}`),
];
const read = (rest = '', headers: Record<string, string> = {}) =>
  api.get(`/v2/flow/greeting?userIdentifier=${user}&version=latest&include=block${rest}`, {
    headers,
  });

describe('texts', () => {
  test('are in the language of the query, else of Accept-Language, else of the flow (X2)', async () => {
    const german = await read('&language=de-CH', { 'accept-language': 'pt' });
    expect(seen(german.body as never)).toEqual(['de', 'de: Hallo', 'de: Tschüss']);
    const portuguese = await read('', { 'accept-language': 'pt-PT,de;q=0.5' });
    expect(seen(portuguese.body as never)).toEqual(['pt-BR', 'pt-BR: Olá', 'pt-BR: Bye']);
    expect(seen((await read()).body as never)).toEqual(['en', 'en: Hello', 'en: Bye']);
    const garbage = await read('', { 'accept-language': ';;q=,***, \xe9' });
    expect(seen(garbage.body as never)).toEqual(['en', 'en: Hello', 'en: Bye']);
  });

  test('of one block and of several flows are so too, and the headers say it (X2)', async () => {
    const query = `userIdentifier=${user}&version=latest&language=de`;
    const block = await api.get(`/v2/block/greeting.hello?${query}`);
    expect(block.body).toMatchObject({ language: 'de', fields: [{ value: 'Hallo' }] });
    expect(block.headers.get('content-language')).toBe('de');
    expect(block.headers.get('vary')).toBe('accept-language');
    const both = await api.get(
      `/v2/flows?userIdentifier=${user}&language=de&flow=english&flow=greeting`,
    );
    expect(both.body).toMatchObject({ flows: [{ sid: 'english' }, { language: 'de' }] });
    expect(both.headers.get('content-language')).toBeNull();
    expect(both.headers.get('vary')).toBe('accept-language');
  });

  test('of a flow in one language are what they were, without a word of languages (X2)', async () => {
    const plain = await api.get(
      `/v2/flow/english?userIdentifier=${user}&version=latest&include=block&language=de`,
    );
    expect(plain.text).not.toContain('language');
    expect(plain.headers.get('content-language')).toBeNull();
    expect(plain.headers.get('vary')).toBeNull();
  });

  test.each(['language=', 'language=de_DE', 'language=de;q=7', 'language=de&language=fr'])(
    'are refused for %s, on every route (X2, W8)',
    async (query) => {
      const about = `userIdentifier=${user}&version=latest&${query}`;
      const answers = await Promise.all([
        api.get(`/v2/flow/greeting?${about}`),
        api.get(`/v2/block/greeting.hello?${about}`),
        api.get(`/v2/flows?userIdentifier=${user}&flow=greeting&${query}`),
        api.post(`/v2/flow/greeting/reset?${about}`),
      ]);
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request_error' } });
        expect(answer.text).toContain('language');
      }
    },
  );
});

/** As `flow apply` stores `Hi ${user.properties.name | there}`, in two languages. */
const personal: FlowDefinition = {
  ...defineFlow({
    flow: 'personal',
    blocks: {
      dear: custom({ go: 'later' }, [shown('Hi ', 'there')]),
      later: custom({ done: 'finish' }, [title('Later')]),
    },
  }),
  format: 2,
  language: 'en',
  languages: [{ language: 'de', blocks: [{ id: 'dear', fields: [shown('Hallo ')] }] }],
};
function shown(before: string, or?: string) {
  return { ...title('as it is written'), parts: [before, { path: ['name'], ...(or && { or }) }] };
}

describe('personal text', () => {
  const titlesOf = (answer: { body: unknown }) =>
    (answer.body as unknown as Seen).blocks.map(({ fields }) => fields[0]!.value);
  const about = (rest = '') => `userIdentifier=${user}&version=latest&include=block${rest}`;

  test('shows what the user of the read has, alone and in a list, in every language (Z5)', async () => {
    await api.fixture.identify(user, { name: '</b>"Ada' });
    const alone = () => api.get(`/v2/flow/personal?${about('&language=en')}`);
    const german = () => api.get(`/v2/flow/personal?${about('&language=de')}`);
    expect(titlesOf(await alone())).toEqual(['Hi </b>"Ada', 'Later']);
    expect(titlesOf(await german())).toEqual(['Hallo </b>"Ada', 'Later']);
    // The flow is entered by now: others would read no properties any more.
    await api.fixture.identify(user, { name: 'Grace' });
    expect(titlesOf(await alone())).toEqual(['Hi Grace', 'Later']);
    const block = await api.get(`/v2/block/personal.dear?userIdentifier=${user}&version=latest`);
    expect(block.body).toMatchObject({ fields: [{ value: 'Hi Grace' }] });
    const list = await api.get(
      `/v2/flows?userIdentifier=${user}&include=block&flow=english&flow=personal`,
    );
    expect(list.body).toMatchObject({
      flows: [{ sid: 'english' }, { blocks: [{ fields: [{ value: 'Hi Grace' }] }, {}] }],
    });
    expect(list.text).not.toContain('parts');
    await api.fixture.identify(user, {});
    expect(titlesOf(await alone())).toEqual(['Hi there', 'Later']);
    expect(titlesOf(await german())).toEqual(['Hallo ', 'Later']);
  });

  test('of one user is never shown to another, by sockets that share what nobody has entered (Z5)', async () => {
    const names = [user, `${user}-other`, `${user}-nameless`];
    await api.fixture.identify(names[0]!, { name: 'Ada' });
    await api.fixture.identify(names[1]!, { name: 'Grace' });
    await api.fixture.identify(names[2]!);
    const open = names.map((name) => connect({ user: name, language: 'en' }));
    for (const [index, expected] of ['Hi Ada', 'Hi Grace', 'Hi there'].entries()) {
      await open[index]!.next('ready');
      const { blocks } = await open[index]!.watch('personal');
      expect(Object.values(blocks)[0]!.fields[0]!.value).toBe(expected);
    }
    // A push says what the user has by then.
    await api.fixture.identify(names[1]!, { name: 'Hopper' });
    for (const name of names)
      await api.get(`/v2/flow/personal?userIdentifier=${name}&version=latest`);
    for (const [index, expected] of ['Hi Ada', 'Hi Hopper', 'Hi there'].entries()) {
      const { blocks } = await open[index]!.nextPush();
      expect(Object.values(blocks).map(({ fields }) => fields[0]!.value)).toEqual([expected]);
    }
  });
});

const connect = (options: Partial<LiveClientOptions>): LiveClient => {
  const client = new LiveClient({ url: api.service.url, key: api.key, user, ...options });
  clients.push(client);
  return client;
};

describe('a socket', () => {
  const titles = (blocks: Record<string, BlockView>) =>
    Object.values(blocks).map(({ fields }) => fields[0]!.value);

  test('is told in its own language, from the query or the header of its handshake (X2)', async () => {
    await read();
    const german = connect({ language: 'de' });
    const portuguese = connect({ headers: { 'accept-language': 'pt-BR' } });
    const plain = connect({});
    for (const [client, texts] of [
      [german, ['Hallo', 'Tschüss']],
      [portuguese, ['Olá', 'Bye']],
      [plain, ['Hello', 'Bye']],
    ] as const) {
      await client.next('ready');
      const { blocks, flow } = await client.watch('greeting');
      expect(titles(blocks)).toEqual(texts);
      expect(flow).toHaveProperty('language');
    }
    const about = `userIdentifier=${user}&version=latest`;
    await api.post(`/v2/block/greeting.hello/transition?${about}&transitions=go`);
    expect(titles((await german.nextPush()).blocks)).toEqual(['Hallo', 'Tschüss']);
    expect(titles((await portuguese.nextPush()).blocks)).toEqual(['Olá', 'Bye']);
  });

  test('is refused for a language that is none, with what is allowed (X2, L1)', async () => {
    const { message } = await connect({ language: 'de_DE' }).next('connect_error');
    expect(message).toContain('language in the query of the handshake has to be a tag of BCP 47');
  });
});
