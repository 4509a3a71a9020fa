import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EMPTY_STATE, type FlowDefinition, type FlowState } from '@waymark/domain/engine';
import type { BlockView, FlowView } from '@waymark/domain/states';
import type { Context, Subject } from '@waymark/domain/targeting';
import { userId } from '@waymark/domain/users';
import { planned, plays } from '@waymark/testing/generators';
import { referenceLook, referenceStep } from '@waymark/testing/reference';
import { fc } from '@waymark/testing/properties';
import { until } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

const PLAYS = 25;
const USER = 'ada';

let api: BlocksService;
beforeAll(async () => {
  api = await BlocksService.open();
  await api.fixture.identify(USER);
  await api.fixture.identifyGroup('acme');
});
afterAll(() => api.close());

/** The same flow with uids of its own: they are unique across flows. */
function named(definition: FlowDefinition, flow: string): FlowDefinition {
  const own = <T extends { uid: string }>(block: T): T => ({
    ...block,
    uid: `${flow}~${block.uid}`,
  });
  const blocks = definition.blocks.map((block) =>
    'items' in block ? { ...own(block), items: block.items.map(own) } : own(block),
  );
  return { ...definition, flow, blocks };
}

async function become({ now, user, group }: Context): Promise<void> {
  await write('users', user, now);
  await writeEvents(user, now);
  if (group) await write('groups', group, now);
}

const write = (
  table: 'users' | 'groups',
  { properties, createdAt, updatedAt }: Subject,
  now: number,
) =>
  api.fixture.dataSource.query(
    `UPDATE ${table} SET properties = $1, created_at = now() - $2 * interval '1 ms', updated_at = now() - $3 * interval '1 ms'`,
    [JSON.stringify(properties), now - (createdAt ?? now), now - (updatedAt ?? now)],
  );

async function writeEvents({ events = {} }: Subject, now: number): Promise<void> {
  const { dataSource, environmentId } = api.fixture;
  const id = userId(environmentId, USER);
  await dataSource.query('DELETE FROM user_events WHERE user_id = $1', [id]);
  for (const [name, { count, first, last }] of Object.entries(events))
    await dataSource.query(
      `INSERT INTO user_events (user_id, name, count, first_at, last_at)
       VALUES ($1, $2, $3, now() - $4 * interval '1 ms', now() - $5 * interval '1 ms')`,
      [id, name, count, now - first, now - last],
    );
}

function pathOf(definition: FlowDefinition, command: ReturnType<typeof planned>): string {
  const { flow } = definition;
  if (command.kind === 'transition') {
    return `/v2/block/${encodeURIComponent(command.block)}/transition?transitions=${command.names.map(encodeURIComponent).join('&transitions=')}`;
  }
  const force =
    command.kind === 'start' || command.kind === 'reset' ? `force=${command.force}` : '';
  return `/v2/flow/${flow}/${command.kind}?${force}`;
}

function seenBy({ started, stopped, finished, blocks }: FlowState, shown: readonly BlockView[]) {
  const known = shown.map(({ uid, transitioned }) => {
    const {
      active = false,
      entered = false,
      exited = false,
      transitioned: taken = [],
    } = blocks[uid] ?? {};
    const names = Object.keys(transitioned);
    return {
      uid,
      state: { active, entered, exited },
      transitioned: Object.fromEntries(names.map((name) => [name, taken.includes(name)])),
    };
  });
  return { state: { started, stopped, finished }, blocks: known };
}

test(`random flows and commands over HTTP are what the reference says, ${PLAYS} times (R11)`, async () => {
  const samples = fc.sample(plays(), { numRuns: PLAYS });
  const flows = samples.map(({ definition }, index) => named(definition, `random-${index}`));
  for (const definition of flows) await api.fixture.commit(definition);
  // The service knows them all once it knows the last one.
  const last = `/v2/flow/${flows.at(-1)!.flow}?userIdentifier=nobody&version=1`;
  await until(async () => (await api.get(last)).text.includes('never identified'));
  for (const [index, { turns }] of samples.entries()) {
    const definition = flows[index]!;
    let state: FlowState = EMPTY_STATE;
    for (const { plan, context: drawnContext } of turns) {
      // The user belongs to no group.
      const context = { ...drawnContext, groups: [] };
      // Delays go on by themselves, not by a request (Z4).
      if (plan.kind === 'continue') continue;
      await become(context);
      const actor = `userIdentifier=${USER}&version=1${context.group ? '&groupIdentifier=acme' : ''}`;
      const command = planned(definition, state, plan);
      const stepped = referenceStep(definition, state, command, context);
      const looked =
        command.kind === 'transition' ? referenceLook(definition, stepped.state, context) : stepped;
      const answer = await api.post(`${pathOf(definition, command)}&${actor}`);
      expect({
        command,
        status: answer.status,
        effect: answer.headers.get('x-dopt-intent-side-effects'),
      }).toEqual({
        command,
        status: 204,
        effect: String(stepped.tookEffect || looked.tookEffect),
      });
      const start = { kind: 'start', force: false } as const;
      const read = referenceStep(definition, looked.state, start, context).state;
      state = referenceLook(definition, read, context).state;
      const { body } = await api.get(`/v2/flow/${definition.flow}?${actor}&include=block`);
      const view = body as FlowView & { blocks: BlockView[] };
      expect(view).toMatchObject(seenBy(state, view.blocks));
    }
  }
});
