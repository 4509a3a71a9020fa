import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing } from '@waymark/testing/browser';
import { applySharedFile, ATTENTION_FILE } from '@waymark/domain/flows';
import type { FlowDefinition } from '@waymark/domain/engine';
import { card, checklist, custom, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import type { RunningStudio } from '../src/start-studio.js';
import { BrowserFixture } from './browser-fixture.js';
import { openStudio, Visitor } from './studio-fixture.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

describe('what conditions mean is worked out beside the server', () => {
  let fixture: Fixture;
  let studio: RunningStudio;
  let visitor: Visitor;

  beforeAll(async () => {
    fixture = await Fixture.open();
    await fixture.identify('ada', { plan: 'pro', text: 'x'.repeat(500_000) });
    await fixture.identify('bob', { plan: 'free' });
    studio = await openStudio(fixture);
    visitor = new Visitor(studio.url);
    await visitor.enter(studio.address);
  });
  afterAll(async () => {
    await studio.stop();
    await fixture.close();
  });

  const match = (when: string) => visitor.ask('POST /api/development/matching', { body: { when } });

  test('users who match are counted, and what cannot be read is refused with its place (T15)', async () => {
    expect(JSON.parse((await match('user.properties.plan == "pro"')).text)).toEqual({
      matching: 1,
      lookedAt: 2,
    });
    expect(await match('user.properties.plan = 1')).toMatchObject({
      status: 400,
      text: expect.stringContaining('equality is written =='),
    });
  });

  test('users who match are named by their names, where these are known (T16, T17)', async () => {
    await fixture.identify('u-17', { name: 'Grace Hopper', plan: 'none' });
    const found = await visitor.ask('POST /api/development/matching/users', {
      body: { when: 'user.properties.plan == "none"' },
    });
    expect(JSON.parse(found.text)).toEqual({
      users: [{ identifier: 'u-17', name: 'Grace Hopper' }],
      lookedAt: 3,
      done: 1,
    });
  });

  test('values that users have are offered (T15)', async () => {
    const { text } = await visitor.ask('GET /api/development/property-values?of=user&name=plan');
    expect(JSON.parse(text)).toEqual(['free', 'none', 'pro']);
  });

  test('a walk waits as the flow would for that user, and calls flows by their names (Q7, T16)', async () => {
    const hello = { blocks: { hello: card({ complete: 'finish' }) } };
    const attention = { group: 'news' };
    const busy = { ...defineFlow({ flow: 'busy', ...hello }), name: 'Our tour' };
    await fixture.commit({ ...busy, format: 2, attention });
    await applySharedFile(fixture.dataSource, ATTENTION_FILE, new Map([['news', { atOnce: 1 }]]), {
      by: 'test',
    });
    await fixture.read('bob', 'busy');
    const text =
      'flow: next\nattention: { group: news }\nstart: a\nblocks:\n a: { type: card, paths: { complete: finish } }\n';
    const walk = async (user?: string) => {
      const answer = await visitor.ask('POST /api/development/try', {
        body: { text, steps: ['read'], ...(user && { user }) },
      });
      return (JSON.parse(answer.text) as { steps: { tookEffect: boolean; why?: string }[] }).steps;
    };
    expect(await walk('bob')).toMatchObject([
      { tookEffect: false, why: expect.stringMatching(/^it waits in .*progress are “Our tour”$/) },
    ]);
    expect(await walk()).toMatchObject([{ tookEffect: true }]);
  });

  test('a walk that takes long holds up nobody else (R13)', async () => {
    const when = Array.from(
      { length: 20 },
      (_, index) => `matches(user.properties.text, "(x+x+)+y${index}")`,
    ).join(' OR ');
    const text = `flow: f\ntarget: { users: matching, when: ${JSON.stringify(when)} }\nstart: a\nblocks:\n a: { type: card }\n`;
    const answered: string[] = [];
    const steps = Array.from({ length: 500 }, () => 'read');
    // Patterns take seconds; a later request is answered first.
    const walk = visitor
      .ask('POST /api/development/try', { body: { text, steps, user: 'ada' } })
      .then(() => answered.push('walk'));
    await visitor.ask('GET /api/me').then(() => answered.push('page'));
    await walk;
    expect(answered).toEqual(['page', 'walk']);
  });
});

inBrowser('a condition is made by rows alone (T15)', () => {
  let here: BrowserFixture;
  beforeAll(async () => {
    here = await BrowserFixture.open();
    await here.fixture.identifyAll(['ada', 'bob', 'cid'], (index) => ({
      plan: index === 0 ? 'free' : 'pro',
      seats: index,
      activated: false,
    }));
  });
  afterAll(() => here.close());

  test('by which an item or a custom block is done by itself, with the name that it takes (Z1, T9)', async () => {
    const blocks = {
      list: checklist(['invite'], { complete: 'own' }),
      own: custom({ ok: 'finish', no: 'finish' }),
    };
    await here.fixture.commit(defineFlow({ flow: 'todo', blocks }));
    const page = await here.openPage('/development/flows/todo/edit');
    const done = page.getByRole('group', { name: 'Done when' });
    await page.getByRole('button', { name: 'list', exact: false }).first().click();
    await page.getByRole('region', { name: 'Items' }).getByText('invite').first().click();
    await page.getByText('Done by itself', { exact: true }).click();
    await done.getByRole('button', { name: '+ Condition' }).click();
    await done.getByLabel('Property').selectOption('plan');
    await done.getByLabel('Value').fill('pro');
    await done.getByText('2 of 3 users match.').waitFor();
    await page.getByRole('button', { name: '← The whole flow' }).click();
    await page.getByRole('button', { name: 'own', exact: false }).first().click();
    await page.getByText('Done by itself', { exact: true }).click();
    await done.getByRole('button', { name: '+ Condition' }).click();
    await page.getByLabel('Then it takes').selectOption('no');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('saved', { exact: true }).waitFor();
    const [{ definition }] = (await here.fixture.dataSource.query(
      "SELECT definition FROM flow_versions WHERE flow = 'todo' AND version = 0",
    )) as [{ definition: FlowDefinition }];
    expect(definition).toMatchObject({
      format: 2,
      blocks: [
        { items: [{ done: { when: 'user.properties.plan == "pro"', take: 'complete' } }] },
        { done: { take: 'no' } },
      ],
    });
    expect(here.errors).toEqual([]);
  });

  test('with how many users match, and only its line of the text is changed', async () => {
    const page = await here.openPage('/development/flows/onboarding/edit');
    const rows = page.getByRole('group', { name: 'Condition', exact: true });
    await rows.getByText('2 of 3 users match.').waitFor();
    await rows.getByRole('button', { name: '+ Condition' }).click();
    const last = rows.locator('.condition-row').last();
    await last.getByLabel('Property').selectOption('seats');
    await last.getByLabel('Comparison').selectOption('is at least');
    await last.getByLabel('Value').fill('2');
    await rows.getByText('1 of 3 users match.').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('saved', { exact: true }).waitFor();
    const [{ source }] = (await here.fixture.dataSource.query(
      "SELECT source FROM flow_versions WHERE flow = 'onboarding' AND version = 0",
    )) as [{ source: string }];
    expect(source).toContain(
      'when: user.properties.plan == "pro" AND NOT user.properties.activated AND user.properties.seats >= 2\n',
    );
    await rows.getByLabel('How many of them have to hold').selectOption('Any of these');
    await rows.getByRole('button', { name: 'Remove condition 3' }).click();
    await rows.getByRole('button', { name: 'Show as text' }).click();
    await until(
      async () =>
        (await rows.getByRole('textbox', { name: 'Condition' }).inputValue()) ===
        'user.properties.plan == "pro" OR NOT user.properties.activated',
    );
    expect(here.errors).toEqual([]);
    await page.close();
  });
});
