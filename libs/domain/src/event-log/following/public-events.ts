import type { Change } from '../../engine/index.js';
import { uuidOf } from '../../users/subject-id.js';
import type { BlockName } from './block-names.js';
import type { EventCommand, EventType, PublicEvent } from './public-event.js';
import type { LogStep } from './read-log.js';

/** What a public event has of its own; the rest is the same for all events of a step. */
type Told = Pick<PublicEvent, 'type' | 'transitions' | 'outcome'> & { readonly uid?: string };

/** Steps that the engine made by itself, and an operator who took something back: their event comes first. */
const TYPE_OF_CAUSE: Readonly<Record<string, EventType>> = {
  migrated: 'flow.migrated',
  edited: 'flow.edited',
  restored: 'flow.restored',
};

/** What others are told of one recorded step: nothing, one event or several, in the order in which it happened (E5). */
export function publicEvents(step: LogStep, environment: string, nameOf: (uid: string) => BlockName): PublicEvent[] {
  const { place, userId, user, group, flow, version, revision, at, event, origin } = step;
  return tellOf(event.cause.kind, event.changes).map(({ type, uid, transitions, outcome }, index) => ({
    id: uuidOf(userId, `${place} ${flow} ${version} ${revision} ${index}`),
    type,
    timestamp: at.toISOString(),
    environment,
    user,
    ...(group !== null && { group }),
    flow,
    version,
    revision,
    ...(uid !== undefined && nameOf(uid)),
    ...(transitions && { transitions }),
    ...(outcome !== undefined && { outcome }),
    ...(origin !== null && { command: event.cause.kind as EventCommand, by: origin }),
  }));
}

function tellOf(cause: string, changes: readonly Change[]): Told[] {
  const type = TYPE_OF_CAUSE[cause];
  const told = changes.flatMap((change, index) => {
    const isTakenOver = type !== undefined && namesAllFlags(change);
    return isTakenOver ? [] : tellOfChange(change, changes.slice(index + 1));
  });
  return type ? [{ type }, ...told] : told;
}

/** The flags of an older state, taken over whole: nothing happened to them now. */
const namesAllFlags = (change: Change): boolean =>
  change.kind === 'flow' && change.started !== undefined && change.stopped !== undefined && change.finished !== undefined;

function tellOfChange(change: Change, later: readonly Change[]): Told[] {
  switch (change.kind) {
    case 'cleared':
      return [{ type: 'flow.reset' }];
    case 'flow':
      return flagsOf(change);
    case 'entered':
      return [{ type: 'block.entered', uid: change.block }];
    case 'exited':
      return [{ type: 'block.exited', uid: change.block, transitions: namesTaken(change.block, later) }];
    case 'branched':
      return [{ type: 'branch.taken', uid: change.block, outcome: change.outcome }];
    default:
      return [];
  }
}

function flagsOf({ started, stopped, finished }: Extract<Change, { kind: 'flow' }>): Told[] {
  const told: Told[] = [];
  if (started) told.push({ type: 'flow.started' });
  if (stopped) told.push({ type: 'flow.stopped' });
  if (finished) told.push({ type: 'flow.finished' });
  return told;
}

/** The names that were recorded right behind the exit. */
function namesTaken(block: string, later: readonly Change[]): string[] {
  const end = later.findIndex((change) => change.kind !== 'transitioned' || change.block !== block);
  const taken = end < 0 ? later : later.slice(0, end);
  return taken.flatMap((change) => (change.kind === 'transitioned' ? change.name : []));
}
