import { EMPTY_STATE, exposedBlocks, isActive } from '../../engine/index.js';
import { atTime } from './describe-cause.js';
import type { Story } from './story.js';
import type { WaitingGate } from './explanation.js';
import { findWaitingGates } from './find-gates.js';
import { findItemsLeft } from './find-items-left.js';

/** Which blocks the user is in, what these and gates wait for, and which way branches sent them. */
export function describePlace(story: Story): string[] {
  const { flow, current } = story;
  const items = findItemsLeft(flow.compiled, current.state);
  return [
    ...describeActive(story),
    ...items.filter(({ left }) => left.length > 0).map(({ block, left }) => `${block} waits for ${left.join(', ')}`),
    ...findWaitingGates(flow.compiled, current.state).map(describeGate),
    ...[...story.biography.outcomes].map(([uid, { outcome, at }]) => `branch ${nameOf(story, uid)} was ${outcome} ${atTime(at)}`),
  ];
}

/** Items are told with their container. */
function describeActive({ flow, stored, current, biography }: Story): string[] {
  const active = exposedBlocks(flow.compiled).filter((block) => block.kind !== 'item' && isActive(current.state, block.uid));
  return active.map(({ uid, id }) => {
    const since = biography.active.get(uid);
    if (!isActive(stored?.state ?? EMPTY_STATE, uid)) return `${id} becomes active with the next read`;
    return since ? `${id} is active since ${atTime(since).slice(3)}` : `${id} is active`;
  });
}

function describeGate({ block, received, waitsFor }: WaitingGate): string {
  const missing = waitsFor.map(
    (input) => `${input.block}, which ${input.canCome ? 'can still come' : 'cannot come any more without a reset'}`,
  );
  return `gate ${block} has heard from ${received.join(', ')} and waits for ${missing.join('; ')}`;
}

const nameOf = ({ flow }: Story, uid: string): string => flow.compiled.byUid.get(uid)?.id ?? uid;
