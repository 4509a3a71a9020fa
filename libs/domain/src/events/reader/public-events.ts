import { type Answer, type Change, EngineError, isKnownFormat } from '../../engine/index.js';
import { unlessNewer } from '../../flows/versions/unknown.js';
import type { EventOrigin } from '../../states/state/flow-event-row.js';
import { uuidOf } from '../../users/subject-id.js';
import type { BlockName, BlockNames } from './block-names.js';
import type { EventCommand, EventType, PublicEvent } from './public-event.js';
import type { LogStep } from './read-log.js';

/** What a public event has of its own; the rest is the same for all events of a step. */
type OwnFields = Pick<
  PublicEvent,
  'type' | 'transitions' | 'data' | 'outcome' | 'path' | 'until'
> & {
  readonly uid?: string;
};

/**
 * Steps that the engine made by itself, and an operator who took something back: their event comes
 * first.
 */
const TYPE_OF_CAUSE: Readonly<Record<string, EventType>> = {
  migrated: 'flow.migrated',
  edited: 'flow.edited',
  restored: 'flow.restored',
};

/**
 * The public events of one recorded step: none, one or several, in the order in which they happened
 * (E5). Throws `flow.newer` for what a newer release recorded, which must not be passed over (R17).
 */
export function publicEvents(
  step: LogStep,
  environment: string,
  nameOf: (uid: string) => BlockName,
): PublicEvent[] {
  const { place, userId, user, group, flow, version, revision, at, event, origin } = step;
  const own = unlessNewer(flow, version, () => eventsOf(event));
  return own.map(({ type, uid, transitions, data, outcome, path, until }, index) => ({
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
    ...(data && { data }),
    ...(outcome !== undefined && { outcome }),
    ...(path !== undefined && { path }),
    ...(until !== undefined && { until }),
    ...(origin !== null && { command: event.cause.kind as EventCommand, by: byOf(event, origin) }),
  }));
}

/** What noticed that the end had come, such as a read, did not cause it (Z8). */
const byOf = ({ cause }: LogStep['event'], origin: EventOrigin): PublicEvent['by'] =>
  cause.kind === 'ended' ? 'ended' : origin;

function eventsOf({ format, cause, changes }: LogStep['event']): OwnFields[] {
  if (!isKnownFormat(format)) throw newer(`an event of format ${String(format)}`);
  const type = TYPE_OF_CAUSE[cause.kind];
  const events = changes.flatMap((change, index) => {
    const isTakenOver = type !== undefined && namesAllFlags(change);
    return isTakenOver ? [] : eventsOfChange(change, changes.slice(index + 1), changes);
  });
  if (cause.kind === 'transition' && cause.data) addAnswer(events, cause.block, cause.data);
  return type ? [{ type }, ...events] : events;
}

/**
 * A step that answers leaves its block first of all; it may come back to that block, and leave it
 * again.
 */
function addAnswer(events: OwnFields[], block: string, data: Answer): void {
  const index = events.findIndex(({ type, uid }) => type === 'block.exited' && uid === block);
  if (index >= 0) events[index] = { ...events[index]!, data };
}

/** The flags of an older state, taken over whole: nothing happened to them now. */
const namesAllFlags = (change: Change): boolean =>
  change.kind === 'flow' &&
  change.started !== undefined &&
  change.stopped !== undefined &&
  change.finished !== undefined;

function eventsOfChange(
  change: Change,
  later: readonly Change[],
  all: readonly Change[],
): OwnFields[] {
  switch (change.kind) {
    case 'cleared':
      return [{ type: 'flow.reset' }];
    case 'flow':
      return flagsOf(change);
    case 'entered':
      return [{ type: 'block.entered', uid: change.block }];
    case 'exited':
      return [
        { type: 'block.exited', uid: change.block, transitions: namesTaken(change.block, later) },
      ];
    case 'branched':
      return [{ type: 'branch.taken', uid: change.block, outcome: change.outcome }];
    case 'transitioned':
      return wasLeft(change.block, all)
        ? []
        : [{ type: 'split.taken', uid: change.block, path: change.name }];
    case 'waiting': {
      const until = new Date(change.until).toISOString();
      return [{ type: 'delay.entered', uid: change.block, until }];
    }
    case 'waited':
      return [{ type: 'delay.left', uid: change.block }];
    case 'carried':
    case 'deactivated':
    case 'received':
    case 'passed':
    case 'effected':
    case 'dropped':
    case 'dropped-name':
    case 'dropped-input':
      return [];
    default:
      throw newer(`a change of the kind ${String((change as Change).kind)}`);
  }
}

const newer = (what: string): EngineError =>
  new EngineError('engine.unknown-format', `cannot deliver ${what}`);

function flagsOf({ started, stopped, finished }: Extract<Change, { kind: 'flow' }>): OwnFields[] {
  const events: OwnFields[] = [];
  if (started) events.push({ type: 'flow.started' });
  if (stopped) events.push({ type: 'flow.stopped' });
  if (finished) events.push({ type: 'flow.finished' });
  return events;
}

/** What users see is left by its names, a split is not: nobody stops at it (K1). */
const wasLeft = (block: string, changes: readonly Change[]): boolean =>
  changes.some((change) => change.kind === 'exited' && change.block === block);

/** The names that were recorded right behind the exit. */
function namesTaken(block: string, later: readonly Change[]): string[] {
  const end = later.findIndex((change) => change.kind !== 'transitioned' || change.block !== block);
  const taken = end < 0 ? later : later.slice(0, end);
  return taken.flatMap((change) => (change.kind === 'transitioned' ? change.name : []));
}

/** A step with its public events, of which there may be none. */
interface StepEvents {
  readonly step: LogStep;
  readonly events: readonly PublicEvent[];
}

/** The public events of steps of one environment; the names of each version are looked up once. */
export async function toStepEvents(
  steps: readonly LogStep[],
  environment: string,
  names: BlockNames,
): Promise<StepEvents[]> {
  const known = new Map<string, Awaited<ReturnType<BlockNames['load']>>>();
  const all: StepEvents[] = [];
  for (const step of steps) {
    const key = `${step.flow}@${step.version}`;
    const nameOf = known.get(key) ?? (await names.load(step.flow, step.version));
    known.set(key, nameOf);
    all.push({ step, events: publicEvents(step, environment, nameOf) });
  }
  return all;
}
