import type { Block, Container, Item } from '@waymark/domain/engine';
import { findBlock, findItem, isContainer, namesOf } from './inspect-definition.js';
import type { ReferenceWalk } from './reference-walk.js';

/** A block or an item takes names, as a part of a walk (S12, S22). */
export function take(walk: ReferenceWalk, uid: string, names: ReadonlySet<string>): void {
  const block = findBlock(walk.definition, uid);
  if (block) return leave(walk, block, names);
  const { container, item } = findItem(walk.definition, uid)!;
  leaveItem(walk, container, item, names);
}

/** S12, S24: items of a container that is left become inactive, and are not exited by it. */
export function leave(walk: ReferenceWalk, block: Block, names: ReadonlySet<string>): void {
  exit(walk, block.uid, names);
  if (isContainer(block)) for (const item of block.items) walk.state.active.delete(item.uid);
  walk.followEach(block, (path) => path.names.some((name) => names.has(name)));
}

/** S22, S23 */
function leaveItem(
  walk: ReferenceWalk,
  container: Container,
  item: Item,
  names: ReadonlySet<string>,
): void {
  exit(walk, item.uid, names);
  if (container.type === 'tour') {
    const next = container.items[container.items.indexOf(item) + (names.has('next') ? 1 : -1)];
    if (next) walk.enterItem(next);
    else leave(walk, container, new Set(['complete']));
  } else if (areItemsDone(walk, container)) leave(walk, container, new Set(['complete']));
}

function exit({ state, definition }: ReferenceWalk, uid: string, names: ReadonlySet<string>): void {
  state.active.delete(uid);
  state.exited.add(uid);
  const taken = namesOf(definition, uid).filter((name) => names.has(name));
  state.transitioned.set(uid, new Set([...(state.transitioned.get(uid) ?? []), ...taken]));
}

/** Whether every item of a checklist or of hints took one of its names (S23). */
export const areItemsDone = ({ state }: ReferenceWalk, container: Container): boolean =>
  container.items.every(({ uid }) => (state.transitioned.get(uid)?.size ?? 0) > 0);
