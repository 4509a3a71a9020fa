import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EMPTY_STATE, type FlowDefinition, type FlowState } from '@waymark/domain/engine';
import type { BlockView, FlowView } from '@waymark/domain/states';
import type { Context, Subject } from '@waymark/domain/targeting';
import { planned, plays } from '@waymark/testing/generators';
import { referenceStep } from '@waymark/testing/reference';
import { fc } from '@waymark/testing/properties';
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
  for (const [index, { definition: drawn, turns }] of samples.entries()) {
    const definition = named(drawn, `random-${index}`);
    await api.fixture.commit(definition);
    let state: FlowState = EMPTY_STATE;
    while (
      !(await api.get(`/v2/flow/${definition.flow}?userIdentifier=nobody&version=1`)).text.includes(
        'never identified',
      )
    );
    for (const { plan, context } of turns) {
      await become(context);
      const actor = `userIdentifier=${USER}&version=1${context.group ? '&groupIdentifier=acme' : ''}`;
      const command = planned(definition, state, plan);
      const expected = referenceStep(definition, state, command, context);
      const answer = await api.post(`${pathOf(definition, command)}&${actor}`);
      expect({
        command,
        status: answer.status,
        effect: answer.headers.get('x-dopt-intent-side-effects'),
      }).toEqual({
        command,
        status: 204,
        effect: String(expected.tookEffect),
      });
      state = referenceStep(
        definition,
        expected.state,
        { kind: 'start', force: false },
        context,
      ).state;
      const { body } = await api.get(`/v2/flow/${definition.flow}?${actor}&include=block`);
      const view = body as FlowView & { blocks: BlockView[] };
      expect(view).toMatchObject(seenBy(state, view.blocks));
    }
  }
});
