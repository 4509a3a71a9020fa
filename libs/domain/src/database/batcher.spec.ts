import { beforeEach, describe, expect, test } from '@jest/globals';
import { DomainError } from './errors/index.js';
import { Batcher, type BatchLimits } from './batcher.js';

const LIMITS: BatchLimits = {
  maxInFlight: 1,
  enoughRows: 0,
  maxWaitMs: 0,
  rows: 10,
  characters: 100,
  waiting: 20,
  waitingCharacters: 150,
  patienceMs: 60_000,
};
const SMALL = { rows: 1, characters: 1 };

/** A statement in flight: what it writes, and how it ends. */
interface Sent {
  items: readonly string[];
  end(error?: unknown): void;
}

let sent: Sent[];
let arrived: () => void;

const write = (items: readonly string[]) =>
  new Promise<void>((resolve, reject) => {
    sent.push({ items, end: (error) => (error ? reject(error as Error) : resolve()) });
    arrived();
  });
const batcher = (limits: Partial<BatchLimits> = {}) => new Batcher(write, { ...LIMITS, ...limits });

/** Waits for the statement of that number. */
async function sentStatement(number: number): Promise<Sent> {
  while (!sent[number]) await new Promise<void>((resolve) => (arrived = resolve));
  return sent[number];
}
const settled = (promise: Promise<void>) =>
  promise.then(
    () => 'written',
    (error: Error) => error.message,
  );
const unavailable = (code: string) =>
  new DomainError('database.unavailable', 'away', { cause: { code } });

beforeEach(() => {
  sent = [];
  arrived = () => undefined;
});

describe('a batcher', () => {
  test('writes what arrives in one turn, or during a write, with one statement each (U7)', async () => {
    const batches = batcher();
    const first = ['a', 'b'].map((item) => batches.add(item, SMALL));
    expect((await sentStatement(0)).items).toEqual(['a', 'b']);
    const second = ['c', 'd', 'e'].map((item) => batches.add(item, SMALL));
    sent[0]!.end();
    await Promise.all(first);
    expect((await sentStatement(1)).items).toEqual(['c', 'd', 'e']);
    sent[1]!.end();
    await Promise.all(second);
  });

  test('answers nobody before the commit that holds them (U7)', async () => {
    const batches = batcher();
    let answered = false;
    const answer = batches.add('a', SMALL).then(() => (answered = true));
    await sentStatement(0);
    const later = batches.add('b', SMALL);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    sent[0]!.end();
    await answer;
    (await sentStatement(1)).end();
    await later;
  });

  test('sends a statement beside another one once it is worth one or has waited for company (R4)', async () => {
    const batches = batcher({ maxInFlight: 3, enoughRows: 3, maxWaitMs: 300_000 });
    const all = [batches.add('slow', SMALL)];
    await sentStatement(0);
    all.push(batches.add('a', SMALL));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toHaveLength(1);
    all.push(batches.add('b', { rows: 2, characters: 1 }));
    expect((await sentStatement(1)).items).toEqual(['a', 'b']);
    const hasty = batcher({ maxInFlight: 2, enoughRows: 3, maxWaitMs: 20 });
    all.push(hasty.add('slow', SMALL));
    await sentStatement(2);
    all.push(hasty.add('c', SMALL));
    expect((await sentStatement(3)).items).toEqual(['c']);
    for (const { end } of sent) end();
    await Promise.all(all);
  });

  test('fills a statement up to its limits, in the order of arrival, and sends an item that is larger by itself', async () => {
    const batches = batcher({ rows: 3, waitingCharacters: 10_000 });
    const weights = [2, 1, 1, 5, 1].map((rows) => ({ rows, characters: 1 }));
    const all = weights.map((weight, index) => batches.add(String(index), weight));
    const large = batches.add('large', { rows: 1, characters: 1_000 });
    const expected = [['0', '1'], ['2'], ['3'], ['4'], ['large']];
    for (const [number, items] of expected.entries()) {
      const next = await sentStatement(number);
      expect(next.items).toEqual(items);
      next.end();
    }
    await Promise.all([...all, large]);
  });

  test('finds the item that fails and never fails its neighbours (R5)', async () => {
    const bad = new Set(['c', 'g']);
    const batches = new Batcher<string>(async (items) => {
      const failing = items.find((item) => bad.has(item));
      if (failing) throw new Error(`${failing} of ${items.length}`);
    }, LIMITS);
    const results = await Promise.all(
      [...'abcdefgh'].map((item) => settled(batches.add(item, SMALL))),
    );
    expect(results).toEqual([
      'written',
      'written',
      'c of 1',
      'written',
      'written',
      'written',
      'g of 1',
      'written',
    ]);
  });

  test('tries each by itself when one waits for a lock, so that only that one is refused (R4)', async () => {
    let statements = 0;
    const batches = new Batcher<string>(async (items) => {
      statements++;
      if (items.includes('locked')) throw unavailable('57014');
    }, LIMITS);
    const results = await Promise.all(
      ['a', 'b', 'locked', 'c', 'd'].map((item) => settled(batches.add(item, SMALL))),
    );
    expect(results).toEqual(['written', 'written', 'away', 'written', 'written']);
    expect(statements).toBe(6);
  });

  test('those of a server that is lost behind another one fail no others, who wait or are with them (G4)', async () => {
    const lost = new DomainError('database.unavailable', 'away', {
      cause: { severity: 'ERROR', code: '08006' },
    });
    const batches = new Batcher<string>(async (items) => {
      await Promise.resolve();
      if (items.includes('lost')) throw lost;
    }, LIMITS);
    const first = ['a', 'lost', 'b'].map((item) => settled(batches.add(item, SMALL)));
    await new Promise((resolve) => setImmediate(resolve));
    const results = await Promise.all([...first, settled(batches.add('c', SMALL))]);
    expect(results).toEqual(['written', 'away', 'written', 'written']);
  });

  test('tries again what waits for a lock, until its time is over, and then says so (R4)', async () => {
    const write = async () => {
      await Promise.resolve();
      if (++statements < 4) throw unavailable('55P03');
    };
    let statements = 0;
    expect(await settled(new Batcher<string>(write, LIMITS).add('a', SMALL))).toBe('written');
    statements = 0;
    expect(
      await settled(new Batcher<string>(write, { ...LIMITS, patienceMs: 0.001 }).add('a', SMALL)),
    ).not.toBe('written');
  });

  test('leaves the pool to others while many are tried by themselves (R4)', async () => {
    const batches = batcher();
    const all = Array.from({ length: 10 }, (_, index) => settled(batches.add(`${index}`, SMALL)));
    (await sentStatement(0)).end(unavailable('55P03'));
    await sentStatement(6);
    expect(sent.map(({ items }) => items.length)).toEqual([10, 1, 1, 1, 1, 1, 1]);
    for (let number = 1; number <= 10; number++) (await sentStatement(number)).end();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['written']));
  });

  test('fails everybody who waits, at once, when the database is away (R4)', async () => {
    const batches = batcher();
    const first = settled(batches.add('a', SMALL));
    await sentStatement(0);
    const waiting = ['b', 'c'].map((item) => settled(batches.add(item, SMALL)));
    sent[0]!.end(unavailable('ECONNRESET'));
    expect(await Promise.all([first, ...waiting])).toEqual(['away', 'away', 'away']);
    const after = batches.add('d', SMALL);
    (await sentStatement(1)).end();
    await after;
  });

  test('refuses what is too much to wait, in number and in size (P12)', async () => {
    const batches = batcher();
    const first = batches.add('first', SMALL);
    await sentStatement(0);
    const waiting = Array.from({ length: 20 }, (_, index) => batches.add(String(index), SMALL));
    await expect(batches.add('x', SMALL)).rejects.toMatchObject({ code: 'service.overloaded' });
    for (let number = 0; number < 3; number++) (await sentStatement(number)).end();
    await Promise.all([first, ...waiting]);
    const wide = batches.add('wide', { rows: 1, characters: 140 });
    await expect(batches.add('x', { rows: 1, characters: 11 })).rejects.toMatchObject({
      code: 'service.overloaded',
    });
    (await sentStatement(3)).end();
    await wide;
  });

  test('refuses what has waited too long rather than writing it late (R4)', async () => {
    const batches = batcher({ patienceMs: -1 });
    await expect(batches.add('a', SMALL)).rejects.toMatchObject({ code: 'service.overloaded' });
    expect(sent).toEqual([]);
  });
});
