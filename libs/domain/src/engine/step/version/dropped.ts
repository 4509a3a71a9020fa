import type { CompiledBlock, CompiledFlow } from '../../definition/compiled-flow.js';
import type { Uid } from '../../definition/definition.js';
import type { Change } from '../../state/event.js';
import { blockState, gateState, waitingOf } from '../../state/inspect-state.js';
import type { FlowState } from '../../state/state.js';

/**
 * What has to be forgotten of a state because the definition does not have it: blocks, names, gate
 * inputs, delays (S27, S28).
 */
export function findDropped(flow: CompiledFlow, state: FlowState): Change[] {
  return [
    ...sorted(state.blocks).flatMap((uid) => droppedOfBlock(flow, state, uid)),
    ...sorted(state.gates).flatMap((uid) => droppedOfGate(flow, state, uid)),
    ...sorted(waitingOf(state)).flatMap((block): Change[] =>
      flow.byUid.get(block)?.kind === 'delay' ? [] : [{ kind: 'dropped', block }],
    ),
  ];
}

function droppedOfBlock(flow: CompiledFlow, state: FlowState, uid: Uid): Change[] {
  const block = flow.byUid.get(uid);
  const names = block && namesOf(block);
  if (!names) return [{ kind: 'dropped', block: uid }];
  const taken = blockState(state, uid).transitioned ?? [];
  return taken
    .filter((name) => !names.includes(name))
    .map((name) => ({ kind: 'dropped-name', block: uid, name }));
}

/**
 * What can be known as taken: of what users see, and of a split, whose way is kept until a reset
 * (K1).
 */
function namesOf(block: CompiledBlock): readonly string[] | undefined {
  if (block.kind === 'split') return block.ways.map(({ name }) => name);
  return 'names' in block ? block.names : undefined;
}

function droppedOfGate(flow: CompiledFlow, state: FlowState, uid: Uid): Change[] {
  const gate = flow.byUid.get(uid);
  if (gate?.kind !== 'gate') return [{ kind: 'dropped', block: uid }];
  return gateState(state, uid)
    .filter((from) => !gate.inputs.has(from))
    .map((from) => ({ kind: 'dropped-input', gate: uid, from }));
}

/** By uid, since the order of keys in a state that was stored means nothing. */
function sorted(record: object): Uid[] {
  return Object.keys(record).sort();
}
