import type { BlockView } from '../shapes/view.js';
import type { WireBlock } from '../shapes/wire.js';

/** What is shown of a block, beside what can be done with it. One that is left by a command under way is shown as left (C4). */
export function viewBlock(name: string, block: WireBlock | undefined, leftBy: readonly string[], items: readonly BlockView[]) {
  const { type, state, transitioned, fields = [] } = block ?? {};
  const taken = state?.active ? leftBy.map((one) => [one, true]) : [];
  return {
    name,
    type,
    active: false,
    entered: false,
    exited: false,
    ...state,
    ...(taken[0] && { active: false, exited: true }),
    transitioned: { ...transitioned, ...Object.fromEntries(taken) },
    fields: Object.fromEntries(fields.map(({ sid, value }) => [sid, value])),
    items,
  };
}
