import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Change,
  type Context,
  EMPTY_STATE,
  type FlowDefinition,
  type FlowEvent,
  type FlowState,
  fold,
  isEmptyState,
  isRunning,
  MIGRATION_STRATEGIES,
  type MigrationStrategy,
} from '@waymark/domain/engine';
import { FlowStateRow } from '@waymark/domain/states';
import { pinFlow, unpinFlow } from '@waymark/domain/flows';
import { commandPlans, contexts, editedFlows, planned } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import { Fixture } from '@waymark/testing/fixture';
import { explainUser, type Plan, planFlows, type PlanInput } from '../index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

async function plan(definition: FlowDefinition, input: Partial<PlanInput>): Promise<Plan> {
  const whole = {
    definitions: [definition],
    strategies: ['carry-over' as MigrationStrategy],
    ...input,
  };
  return (await planFlows(fixture.dataSource, fixture.environmentId, whole))[0]!;
}

const lives = fc.array(
  fc.record({ plans: commandPlans(), came: fc.boolean(), context: contexts() }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

const strategies = fc.constantFrom(...MIGRATION_STRATEGIES);

test('a plan equals what happens: planned, committed, everybody reads, each number compared (I2, S33, S34)', async () => {
  let run = 0;
  const changes = fc.record({
    flows: editedFlows(),
    lives,
    strategy: strategies,
    past: fc.option(strategies),
  });
  await fc.assert(
    fc.asyncProperty(changes, async ({ flows, lives, strategy, past }) => {
      const flow = `planned-${++run}`;
      const [before, after] = [
        { ...flows.before, flow },
        { ...flows.after, flow },
      ];
      // Who would enter is evaluated for every user of the environment.
      await fixture.dataSource.query('DELETE FROM users');
      const users = lives.map((_, index) => `${flow}-${index}`);
      await fixture.identifyAll(users, (index) => lives[index]!.context.user.properties);
      for (const [index, { context }] of lives.entries()) await joinGroups(users[index]!, context);
      await fixture.commit(before);
      for (const [index, { plans, came }] of lives.entries()) {
        for (const one of came ? plans : []) await play(users[index]!, before, one);
      }
      // A version that some have met and that was pinned away: back to the first one, by a third.
      const next = past === null ? after : before;
      const last = past === null ? 1 : await fixture.commit(after, past);
      if (past !== null) {
        for (const [index, user] of users.entries())
          if (index % 2 === 0) await fixture.read(user, flow);
        await pin(flow, 1);
      }
      const wouldStart = (user: string) =>
        explainUser(fixture.dataSource, fixture.environmentId, { user, flow });
      const enteredNow = await Promise.all(
        users.map(async (user) => (await wouldStart(user)).wouldStart),
      );
      const foreseen = await plan(next, { strategies: [strategy], entries: true });
      const alone = await plan(next, { strategies: [strategy] });
      const { dependsOnGroup } = alone.users;
      expect(foreseen.users.dependsOnGroup).toBeGreaterThanOrEqual(dependsOnGroup);
      const { notes } = alone;
      expect(alone).toEqual({
        ...foreseen,
        users: { ...foreseen.users, dependsOnGroup },
        notes,
        entries: undefined,
      });
      const version = await fixture.commit(next, strategy);
      expect(foreseen).toMatchObject({ version, differs: version > last });
      if (past !== null) {
        // Who would enter the pinned one is left out: that is not what was planned.
        for (const [index, user] of users.entries())
          if (!enteredNow[index]) await fixture.read(user, flow);
        if (version > last)
          expect(
            await fixture.dataSource.getRepository(FlowStateRow).countBy({ flow, version }),
          ).toBe(0);
        await pin(flow, null);
      }
      const names = new Map([...namesOf(before), ...namesOf(after), ...namesOf(next)]);
      if (version > last)
        expect(foreseen).toMatchObject(await watch(next, version, users, names, enteredNow));
    }),
    { numRuns: Number(process.env.PLAN_RUNS ?? 40), endOnFailure: true },
  );
});

/** The groups of a generated user, which nobody else belongs to. */
async function joinGroups(user: string, { groups = [] }: Context): Promise<void> {
  for (const { identifier, properties } of groups)
    await fixture.identifyGroup(`${identifier}-${user}`, properties);
  await fixture.join(user, ...groups.map(({ identifier }) => `${identifier}-${user}`));
}

async function play(
  user: string,
  definition: FlowDefinition,
  one: Parameters<typeof planned>[2],
): Promise<void> {
  const state = (await fixture.findState(user, definition.flow, 1))?.state ?? EMPTY_STATE;
  await fixture.run(user, definition.flow, 1, planned(definition, state, one));
}

async function pin(flow: string, version: number | null): Promise<void> {
  const { dataSource, environmentId, catalogue } = fixture;
  if (version === null) await unpinFlow(dataSource, environmentId, flow, { by: 'ann' });
  else await pinFlow(dataSource, environmentId, flow, version, { by: 'ann' });
  await catalogue.refresh();
}

/** In the highest version below that one (S28). */
async function findMet(user: string, flow: string, below: number): Promise<FlowState> {
  for (let version = below - 1; version > 0; version--) {
    const found = await fixture.findState(user, flow, version);
    if (found) return found.state;
  }
  return EMPTY_STATE;
}

/** Everybody reads the new version; what is recorded of it, counted in the words of a plan. */
async function watch(
  after: FlowDefinition,
  version: number,
  users: string[],
  names: ReadonlyMap<string, string>,
  enteredNow: boolean[],
) {
  const { flow } = after;
  const counts = { total: 0, kept: 0, restarted: 0, stopped: 0, finished: 0 };
  const lost: Record<string, number> = {};
  const gates: Record<string, number> = {};
  const effects: Record<string, number> = {};
  const entries = { enter: 0, leave: 0 };
  const name = (uid: string) => names.get(uid)!;
  for (const [index, user] of users.entries()) {
    const old = await findMet(user, flow, version);
    await fixture.read(user, flow);
    const events = (await fixture.loadEvents(user, flow, version)).map(({ event }) => event);
    const starts = events.some(({ cause }) => cause.kind === 'start');
    if (starts !== enteredNow[index]) entries[starts ? 'enter' : 'leave']++;
    if (isEmptyState(old)) continue;
    const met = events.filter(({ cause }) => cause.kind === 'migrated');
    const state = fold(met);
    const all = met.flatMap(({ changes }: FlowEvent) => changes as Change[]);
    const restarted = all.some(
      (change) => change.kind === 'flow' && change.started === true && !('stopped' in change),
    );
    const stopped = isRunning(old) && state.stopped;
    const finished = !old.finished && state.finished;
    const gone = Object.keys(old.blocks).filter(
      (uid) => old.blocks[uid]!.active && !namesOf(after).has(uid),
    );
    counts.total++;
    counts.restarted += Number(restarted);
    counts.stopped += Number(stopped);
    counts.finished += Number(finished);
    counts.kept += Number(!restarted && !stopped && !finished && gone.length === 0);
    count(lost, new Set(gone.map(name)));
    count(
      gates,
      all.flatMap((change) => (change.kind === 'passed' ? [name(change.gate)] : [])),
    );
    count(
      effects,
      all.flatMap((change) => (change.kind === 'effected' ? [name(change.block)] : [])),
    );
  }
  return { users: { ...counts, lost, gates }, effects, entries };
}

function count(counts: Record<string, number>, names: Iterable<string>): void {
  for (const name of names) counts[name] = (Object.hasOwn(counts, name) ? counts[name]! : 0) + 1;
}

function namesOf({ blocks }: FlowDefinition): Map<string, string> {
  return new Map(
    blocks
      .flatMap((block) => [block, ...('items' in block ? block.items : [])])
      .map(({ uid, id }) => [uid, id]),
  );
}
