import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { userId } from '../../users/index.js';
import { claimEach, EffectQueue } from './effect-queue.js';

let fixture: Fixture;
let queue: EffectQueue;

beforeAll(async () => {
  fixture = await Fixture.open();
  queue = new EffectQueue(fixture.database);
  await fixture.commit(defineFlow({ flow: 'any', blocks: { only: card() } }));
  await fixture.identifyAll(['ann', 'ben', 'cem', 'dee', 'eva'], () => ({}));
});
afterAll(() => fixture.close());
afterEach(() => fixture.dataSource.query('DELETE FROM effects'));

const trigger = { kind: 'flow-trigger', flow: 'any', intent: 'start', version: 'latest' };
const webhook = (host = 'acme.test') => ({
  kind: 'webhook',
  url: `https://${host}/hook`,
  headers: [],
});

/**
 * An effect for each of those revisions of a user's state, as if written two hours ago, so that
 * what is put off stays so.
 */
const write = async (user: string, effect: object, revisions: number[]) => {
  await fixture.dataSource.query(
    `INSERT INTO effects (user_id, flow, version, revision, position, effect, created_at)
     SELECT $1, 'any', 1, revision, 0, $2, now() - interval '2 hours' FROM unnest($3::int[]) revision`,
    [userId(fixture.environmentId, user), effect, revisions],
  );
};
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** What a claim yields, as `user revision` in its order. */
const claim = async (slots = 100, inHand: Record<string, number> = {}) => {
  const { effects, putOff } = await queue.claim(slots, new Map(Object.entries(inHand)));
  return { effects, names: effects.map(({ user, revision }) => `${user} ${revision}`), putOff };
};
const claimOne = async () => {
  const { effects } = await claim();
  expect(effects).toHaveLength(1);
  return effects[0]!;
};
const columns = (names: string) =>
  fixture.dataSource.query(`SELECT ${names} FROM effects ORDER BY revision`);

/** The claim of one server, and the one of distributed tables, which comes to the same (G1). */
const WAYS = [
  {
    way: 'a claim',
    by: (slots: number, inHand: Map<string, number>) => queue.claim(slots, inHand),
  },
  {
    way: 'a claim one by one',
    by: (slots: number, inHand: Map<string, number>) => claimEach(fixture.database, slots, inHand),
  },
];

describe.each(WAYS)('$way', ({ by }) => {
  const claim = async (slots = 100, inHand: Record<string, number> = {}) => {
    const { effects, putOff } = await by(slots, new Map(Object.entries(inHand)));
    return { effects, names: effects.map(({ user, revision }) => `${user} ${revision}`), putOff };
  };

  test('looks at no more than a hundred of a queue, and no second time soon at what has to wait (S19)', async () => {
    await write('ann', webhook(), range(1, 250));
    await queue.postpone(await claimOne(), 'answered 500', 3600);
    await write('ann', webhook(), range(251, 260));
    await write('ben', webhook(), [1]);
    // The first claim looked at a hundred already.
    expect(await claim()).toMatchObject({ names: [], putOff: 100 });
    expect(await claim()).toMatchObject({ names: ['ben 1'], putOff: 60 });
    expect(await claim()).toMatchObject({ names: [], putOff: 0 });
  });

  test('gives every host slots of its own, and triggers theirs (S19)', async () => {
    for (const user of ['ann', 'ben', 'cem']) await write(user, webhook('down.test'), [1]);
    await write('dee', webhook('acme.test'), [1]);
    await write('eva', trigger, [1]);
    const { effects } = await claim(2);
    expect(effects.map((effect) => effect.queue).sort()).toEqual([
      '',
      'acme.test',
      'down.test',
      'down.test',
    ]);
    expect((await claim(2, { 'down.test': 2 })).names).toEqual([]);
    expect((await claim(2, { 'down.test': 1 })).names).toHaveLength(1);
  });
});

test.each([
  'https:slow.test',
  'HTTPS://u:p@Slow.TEST?x=1',
  'https:\\\\slow.test\\hook',
  'https://slow.test#x',
])('the queue of %s is that of its host, never that of the triggers (S19)', async (url) => {
  await write('ann', { ...webhook(), url }, [1]);
  expect((await claim()).effects.map((effect) => effect.queue)).toEqual([new URL(url).host]);
});

describe('those behind another effect', () => {
  test('follow one by one as soon as it is done, or has failed (S19)', async () => {
    await write('ann', webhook(), [1, 2, 3]);
    await queue.finish(await claimOne());
    const second = await claimOne();
    await queue.fail(second, 'answered 500');
    const third = await claimOne();
    expect([second.revision, third.revision]).toEqual([2, 3]);
  });

  test('follow as soon as it is done after it had failed, also when they came later (S19)', async () => {
    await write('ann', webhook(), [1]);
    await queue.postpone(await claimOne(), 'answered 500', 0);
    await write('ann', webhook(), [2]);
    const again = await claimOne();
    expect(again.attempts).toBe(2);
    await queue.finish(again);
    expect(await claim()).toMatchObject({ names: ['ann 2'], putOff: 0 });
  });

  test('wait only where they go to the same receiver: scheme, host and port (S19)', async () => {
    const urls = [
      'https://acme.test/hook',
      'HTTPS://u:p@ACME.test:443?other',
      'https://acme.test:8443/hook',
      'http://acme.test/hook',
      'http://acme.test:80',
      'https://other.test/hook',
    ];
    for (const [index, url] of urls.entries())
      await write('ann', { ...webhook(), url }, [index + 1]);
    await write('ann', trigger, [7, 8]);
    expect((await claim()).names).toEqual(['ann 1', 'ann 3', 'ann 4', 'ann 6', 'ann 7']);
  });

  test('wait as long as it is tried again, and those to other receivers never do (S19)', async () => {
    await write('ann', webhook('down.test'), [1, 2]);
    await queue.postpone(await claimOne(), 'answered 500', 3600);
    await write('ann', webhook('acme.test'), [3, 4]);
    await write('ann', trigger, [5, 6]);
    const { effects, names } = await claim();
    expect(names).toEqual(['ann 3', 'ann 5']);
    for (const effect of effects) await queue.finish(effect);
    expect((await claim()).names).toEqual(['ann 4', 'ann 6']);
  });

  test('are late by ten minutes at most, should the end of what they waited for be missed (S19)', async () => {
    await write('ann', webhook(), [1, 2]);
    await claimOne();
    expect(
      await columns(
        "next_attempt_at BETWEEN now() + interval '9 min' AND now() + interval '10 min' AS later",
      ),
    ).toEqual([{ later: false }, { later: true }]);
  });
});

test('an effect that is released is due at once, as if it had never been claimed (S19)', async () => {
  await write('ann', webhook(), [1]);
  await queue.release(await claimOne());
  expect(await columns('attempts, last_error, failed_at')).toEqual([
    { attempts: 0, last_error: null, failed_at: null },
  ]);
  expect((await claim()).names).toEqual(['ann 1']);
});
