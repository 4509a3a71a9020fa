import {
  type CompiledFlow,
  type CompiledGate,
  type FlowState,
  gateState,
  isActive,
  isRunning,
  type Uid,
} from '../../engine/index.js';
import type { WaitingGate } from './explanation.js';

/** Gates that have received something and wait for more, with what they wait for and whether it can still come (S16). */
export function findWaitingGates(flow: CompiledFlow, state: FlowState): WaitingGate[] {
  const gates = [...flow.byUid.values()].filter((block): block is CompiledGate => block.kind === 'gate');
  const waiting = gates.filter(({ uid }) => gateState(state, uid).length > 0);
  if (waiting.length === 0) return [];
  const reachable = isRunning(state) ? findReachable(flow, state) : new Set<Uid>();
  const nameOf = (uid: Uid): string => flow.byUid.get(uid)?.id ?? uid;
  return waiting.map(({ uid, id, inputs }) => {
    const received = gateState(state, uid);
    const missing = [...inputs].filter((input) => !received.includes(input));
    return {
      block: id,
      received: received.map(nameOf),
      waitsFor: missing.map((input) => ({ block: nameOf(input), canCome: reachable.has(input) })),
    };
  });
}

/** Blocks that some path leads to from an active one, whatever branches decide and users take. */
function findReachable(flow: CompiledFlow, state: FlowState): ReadonlySet<Uid> {
  const pending = flow.exposed.filter(({ uid }) => isActive(state, uid)).map(({ uid }) => uid);
  const reached = new Set<Uid>();
  for (let uid = pending.pop(); uid !== undefined; uid = pending.pop()) {
    const block = flow.byUid.get(uid);
    if (!block || reached.has(uid)) continue;
    reached.add(uid);
    for (const path of 'paths' in block ? [...block.paths.values()].flat() : [])
      if (path.to !== 'finish') pending.push(path.to.uid);
  }
  return reached;
}
