import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineFlow, modal } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { applySharedFile, ATTENTION_FILE } from '../../flows/index.js';
import { userId } from '../../users/index.js';
import { AttentionState } from '../attention/attention-state.js';

const ROUNDS = 400;
const AT_ONCE = 20;
const FLOWS = ['one', 'two', 'three', 'four'];

let replicas: Fixture[];
beforeAll(async () => {
  const fixture = await Fixture.open();
  for (const flow of FLOWS)
    await fixture.commit({
      ...defineFlow({ flow, blocks: { [`hello-${flow}`]: modal({ complete: 'finish' }) } }),
      format: 2,
      attention: { group: 'news' },
    });
  const rules = { atOnce: 2, limit: { starts: 3, per: 3_600_000 } };
  await applySharedFile(fixture.dataSource, ATTENTION_FILE, new Map([['news', rules]]), {
    by: 'test',
  });
  replicas = [fixture, await fixture.replica()];
  for (const replica of replicas) await replica.catalogue.refresh();
});
afterAll(() => replicas[0]!.close());

/**
 * All flows are read on both replicas at once; answers how many are in progress then, and which
 * reads waited.
 */
async function readAll(user: string): Promise<{ started: number; waited: (string | undefined)[] }> {
  const reads = FLOWS.flatMap((flow) => replicas.map((replica) => replica.read(user, flow)));
  const read = await Promise.all(reads);
  const started = new Set(
    read.flatMap(({ flow, state }) => (state.started && !state.finished ? flow.flow : [])),
  );
  const waited = read.flatMap(({ state, waits }) => (state.started ? [] : waits?.rule));
  return { started: started.size, waited };
}

async function playRound(round: number): Promise<void> {
  const user = `user-${round}`;
  const [first] = replicas;
  await first!.identify(user);
  const before = await readAll(user);
  expect(before.started).toBe(2);
  expect(new Set(before.waited)).toEqual(new Set(['at-once']));
  for (const flow of FLOWS) await first!.run(user, flow, 1, { kind: 'finish' });
  await first!.run(user, 'one', 1, { kind: 'reset', force: true });
  const record = await first!.dataSource.getRepository(AttentionState).findOneByOrFail({
    userId: userId(first!.environmentId, user),
    group: 'news',
  });
  expect(record.starts).toHaveLength(3);
  expect(record.places).toEqual({ one: 1 });
}

test(`of ${ROUNDS} users none ever has more than the rules allow, and none waits without a rule (Q3, Q4)`, async () => {
  for (let round = 0; round < ROUNDS; round += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => playRound(round + index)));
}, 300_000);
