import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FlowDefinition, FlowState } from '@waymark/domain/engine';
import { pruneEvents } from '@waymark/domain/events';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { assignDraftUids } from '@waymark/domain/flows';
import { ResetUsers, restoreState } from '@waymark/domain/states';
import { userId } from '@waymark/domain/users';
import { card, defineFlow } from '@waymark/testing/builders';
import { commandPlans, type CommandPlan, planned } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import { Fixture } from '@waymark/testing/fixture';
import { exportHistories, type HistoriesExport, replayHistories } from '../index.js';

const USERS = 1_000;
const BY = { by: 'ann' };
const user = (index: number): string => `person-${index}@acme.test`;
const group = (index: number): string => `company-${index % 7}`;

/** Everything in it that is somebody's says so. */
const FIRST = `
flow: tour
name: The tour of Personal Paula
target: { users: matching, when: 'user.identifier != "personal-nobody"' }
start: [hello, aside]
blocks:
  hello: { type: modal, fields: { title: Hello Personal Paula }, paths: { complete: asked, dismiss: call } }
  aside: { type: hints, items: { one: { fields: { title: personal } }, two: {} }, paths: { dismiss: both } }
  asked: { type: branch, when: 'user.properties.name == "personal-1"', paths: { 'true': steps, 'false': own } }
  steps: { type: checklist, items: { invite: {}, connect: {} }, paths: { complete: both, dismiss: finish } }
  own: { type: custom, paths: { left: both, right: [steps, call] } }
  both: { type: gate, next: ways }
  call: { type: webhook, url: 'https://personal.acme.test/hook', headers: { x-token: personal-token }, next: ways }
  ways: { type: tour, items: { first: {}, second: {} }, paths: { complete: last, dismiss: last } }
  last: { type: card, paths: { complete: finish } }
`;
/** An item, a path and a name fewer, and a flow that begins again. */
const SECOND = FIRST.replace(', connect: {}', '')
  .replace('right: [steps, call]', 'right: steps')
  .replace('{ complete: finish }', '{ complete: hello }');

let fixture: Fixture;
let walked: string[];
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identifyAll(
    Array.from({ length: USERS }, (_, index) => user(index)),
    (index) => ({ name: `personal-${index % 2}` }),
  );
  for (let index = 0; index < 7; index++) await fixture.identifyGroup(group(index));
  const plans = fc.sample(commandPlans(), USERS);
  const some = plans.slice(0, 100);
  const first = await read(FIRST);
  await fixture.commit(first);
  await forEachUser(plans, (index, plan) => live(index, first, 1, plan));
  await new ResetUsers(fixture.dataSource, fixture.runner, fixture.changes).run(
    fixture.environmentId,
    await fixture.catalogue.getFlow('tour', 1, fixture.environmentId),
    { force: true, when: 'endsWith(user.identifier, "7@acme.test")' },
    BY,
  );
  const wanted = { user: user(0), flow: 'tour', version: 1, revision: 1 };
  await restoreState(fixture, fixture.environmentId, wanted, BY);
  await forEachUser(some, (index, plan) => live(index, first, 0, plan));
  const second = await read(SECOND);
  await fixture.commit(second, 'carry-over');
  await forEachUser(plans.slice(0, 400), (index, plan) => live(index, second, 2, plan));
  await forEachUser(some, (index) => live(index, second, 0, []));
  walked = await lines();
});
afterAll(() => fixture.close());

async function read(text: string): Promise<FlowDefinition> {
  const { draft, problems } = parseFlowFile(text, { file: 'tour.yaml' });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return assignDraftUids(fixture.dataSource.manager, draft!);
}

/** Many at a time, as the store writes them together. */
async function forEachUser(
  plans: readonly CommandPlan[][],
  work: (index: number, plan: readonly CommandPlan[]) => Promise<void>,
): Promise<void> {
  const waiting = plans.map((plan, index) => () => work(index, plan));
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await next();
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

async function live(
  index: number,
  definition: FlowDefinition,
  version: number,
  plans: readonly CommandPlan[],
): Promise<void> {
  const who = `${user(index)}/${group(index)}`;
  let { state }: { state: FlowState } = await fixture.read(who, 'tour', version);
  for (const [step, plan] of plans.entries()) {
    const command = planned(definition, state, plan);
    const answer = command.kind === 'transition' && { data: { said: 'personal' } };
    ({ state } = await fixture.run(
      who,
      'tour',
      version,
      { ...command, ...answer },
      { idempotencyKey: `personal-key-${index}-${version}-${step}` },
    ));
  }
}

async function lines(options: Partial<HistoriesExport> = {}): Promise<string[]> {
  const { dataSource, environmentId } = fixture;
  const wanted = { flow: 'tour', release: '1.2.3', ...options };
  let text = '';
  for await (const piece of exportHistories(dataSource, environmentId, wanted)) text += piece;
  return text.trimEnd().split('\n');
}

async function* streamed(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

test('an export of a walk of 1,000 users replays without a difference (I8)', async () => {
  const replayed = await replayHistories(streamed(walked));
  expect(replayed).toMatchObject({
    flow: 'tour',
    release: '1.2.3',
    users: USERS,
    pruned: 0,
    differing: 0,
    differences: [],
  });
  const [{ states, events }] = await fixture.dataSource.query(
    `SELECT (SELECT count(*)::int FROM flow_states) AS states, (SELECT count(*)::int FROM flow_events) AS events`,
  );
  expect(replayed).toMatchObject({ states, compared: states, events });
  const causes = new Set(walked.map((line) => /"cause":{"kind":"(\w+)"/.exec(line)?.[1]));
  for (const cause of ['transition', 'reset', 'migrated', 'edited', 'restored'])
    expect(causes).toContain(cause);
});

test('nothing of a user can be told from the file: no identifier, group, property, key, text, address or time (I8)', async () => {
  const personal = /person|company-|acme|Paula|x-token|[0-9a-f]{8}-[0-9a-f]{4}-/i;
  expect(walked.filter((line) => personal.test(line))).toEqual([]);
  const times = walked.flatMap((line) => (JSON.parse(line) as { at?: string }).at ?? []);
  expect(new Set(times.map((at) => at.slice(0, 10)))).toEqual(new Set(['2000-01-01']));
  const members = new Set(walked.flatMap((line) => Object.keys(JSON.parse(line) as object)));
  expect([...members].sort()).toEqual(
    [
      ...['kind', 'format', 'release', 'flow', 'version', 'definition', 'user', 'revision'],
      ...['state', 'at', 'cause', 'changes', 'users', 'states', 'events'],
    ].sort(),
  );
});

test('users of a sample are chosen by chance, and stand in an order of chance (I8)', async () => {
  const [one, other] = [await lines({ users: 10 }), await lines({ users: 10 })];
  expect(await replayHistories(streamed(one))).toMatchObject({ users: 10, differing: 0 });
  expect(one).not.toEqual(other);
});

describe('a flow of a few', () => {
  const replay = async () => replayHistories(streamed(await lines({ flow: 'short' })));
  const change = (text: string, who: string) =>
    fixture.dataSource.query(`${text} AND flow = 'short' AND user_id = $1`, [
      userId(fixture.environmentId, who),
    ]);

  beforeAll(async () => {
    await fixture.commit(defineFlow({ flow: 'short', blocks: { only: card() } }));
    for (const index of [0, 1, 2]) await fixture.read(user(index), 'short');
  });

  test('a long history comes in pieces, and ends with the state that was read (I8)', async () => {
    await change(
      `INSERT INTO flow_events (user_id, flow, version, revision, event)
       SELECT user_id, flow, version, n, event FROM flow_events, generate_series(2, 2500) n
       WHERE revision = 1`,
      user(0),
    );
    await change('UPDATE flow_states SET revision = 2499 WHERE true', user(0));
    const found = await lines({ flow: 'short' });
    const long = found.findIndex((line) => line.includes('"revision":2499,"state"'));
    const events = found.slice(long + 1, long + 2_500);
    expect(events.map((line) => (JSON.parse(line) as { revision: number }).revision)).toEqual(
      events.map((_, index) => index + 1),
    );
    expect(await replay()).toMatchObject({ users: 3, events: 2_501, compared: 3, differing: 0 });
    await change('DELETE FROM flow_events WHERE revision = 1700', user(0));
    expect((await replay()).differences).toMatchObject([
      { revision: 2_499, places: ['the event of revision 1700 is missing'] },
    ]);
  });

  test('states whose events were deleted are counted, not compared (I8)', async () => {
    await change('DELETE FROM flow_events WHERE revision < 2000', user(0));
    await change('DELETE FROM flow_events WHERE true', user(1));
    expect(await replay()).toMatchObject({ states: 3, pruned: 2, compared: 1, differing: 0 });
    const before = new Date(Date.now() + 60_000);
    await pruneEvents(fixture.dataSource, fixture.environmentId, { before }, BY);
    expect(await replay()).toMatchObject({ events: 0, pruned: 3, compared: 0, differing: 0 });
  });
});

test('a flow that is not there is refused (I8)', async () => {
  await expect(lines({ flow: 'none' })).rejects.toMatchObject({ code: 'flow.unknown' });
});
