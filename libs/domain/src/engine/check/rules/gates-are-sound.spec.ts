import { expect, test } from '@jest/globals';
import {
  type BlockOf,
  branch,
  card,
  compileFlow,
  custom,
  gate,
  someone,
  webhook,
} from '@waymark/testing/builders';
import { fc } from '@waymark/testing/properties';
import type { Context } from '../../../targeting/index.js';
import type { CompiledFlow } from '../../definition/compiled-flow.js';
import { EMPTY_STATE, type FlowState } from '../../state/state.js';
import { step } from '../../step/command/step.js';
import { checkDefinition } from '../check-definition.js';

const IDS = ['a', 'b', 'c', 'd', 'e', 'g'];
const target = fc.constantFrom(...IDS, 'finish');
const targets = fc.array(target, { minLength: 0, maxLength: 2 });

const block: fc.Arbitrary<BlockOf> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(targets, targets).map(([complete, dismiss]) => card({ complete, dismiss })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(targets, targets).map(([x, both]) => custom({ x, 'y,x': both, z: 'g' })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(targets, targets)
      .map(([yes, no]) => branch('user.properties.yes', { true: yes, false: no })),
  },
  { weight: 1, arbitrary: targets.map((next) => webhook(next)) },
  { weight: 1, arbitrary: targets.map((next) => gate(next)) },
);

const notation = fc
  .tuple(
    fc.array(target, { minLength: 1, maxLength: 2 }),
    fc.array(block, { minLength: 5, maxLength: 5 }),
    targets,
  )
  .map(([start, blocks, next]) => ({
    start,
    blocks: {
      ...Object.fromEntries(blocks.map((each, index) => [IDS[index] ?? '', each])),
      g: gate(next),
    },
  }));

/**
 * Every gate that passes in some run in which each call takes one name; conditions may turn out
 * either way each time.
 */
function findOpenGates(flow: CompiledFlow): Set<string> {
  const open = new Set<string>();
  const seen = new Set<string>();
  const pending: FlowState[] = [];
  const visit = (state: FlowState, command: Parameters<typeof step>[2], context: Context): void => {
    const next = step(flow, state, command, context);
    for (const change of next.event?.changes ?? [])
      if (change.kind === 'passed') open.add(change.gate);
    const key = JSON.stringify([
      next.state.finished,
      Object.entries(next.state.blocks).sort(),
      Object.entries(next.state.gates).sort(),
    ]);
    if (!seen.has(key)) pending.push(next.state);
    seen.add(key);
  };
  const contexts = [someone({ yes: true }), someone({ yes: false })];
  for (const context of contexts) visit(EMPTY_STATE, { kind: 'start', force: true }, context);
  for (let state = pending.pop(); state && seen.size < 2000; state = pending.pop()) {
    for (const { uid, names } of flow.exposed.filter((each) => state?.blocks[each.uid]?.active)) {
      for (const name of names)
        for (const context of contexts)
          visit(state, { kind: 'transition', block: uid, names: [name] }, context);
    }
  }
  return open;
}

test('a gate said to be shut opens in no run at all, whatever the user does (S4, S16)', () => {
  fc.assert(
    fc.property(notation, (flow) => {
      const compiled = compileFlow(flow);
      const problems = checkDefinition(compiled.definition);
      fc.pre(problems.every(({ severity }) => severity !== 'error'));
      const shut = problems
        .filter(({ code }) => code === 'gate.never-opens')
        .map(({ place }) => `u-${place[1]}`);
      if (shut.length === 0) return;
      const open = findOpenGates(compiled);
      expect(shut.filter((gateUid) => open.has(gateUid))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
