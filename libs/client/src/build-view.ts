import type { BlockView, FlowView } from './view.js';
import type { WireBlock, WireFlow } from './wire.js';

const NOWHERE = { active: false, entered: false, exited: false };

/** A block that is left by a command under way is shown as left (C4). */
export function buildBlock(
  name: string,
  block: WireBlock | undefined,
  leftBy: readonly string[],
  items: readonly BlockView[],
  acts: object,
): BlockView {
  const { state = NOWHERE, transitioned = {}, fields = [], type } = block ?? {};
  const isLeft = state.active && leftBy.length > 0;
  const taken = isLeft ? leftBy.map((one) => [one, true]) : [];
  const has = ([act]: [string, unknown]): boolean => !block || act === 'transition' || act in transitioned;
  return Object.freeze({
    name,
    type,
    ...state,
    ...(isLeft && { active: false, exited: true }),
    transitioned: { ...transitioned, ...Object.fromEntries(taken) },
    fields: Object.fromEntries(fields.map(({ sid, value }) => [sid, value])),
    items,
    ...Object.fromEntries(Object.entries(acts).filter(has)),
  }) as unknown as BlockView;
}

export const buildFlow = (state: WireFlow['state'], blocks: readonly BlockView[], acts: object): FlowView =>
  Object.freeze({ ...state, blocks, ...acts }) as FlowView;
