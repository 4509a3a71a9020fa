import type { Cause, Change } from '@waymark/domain/engine';
import type { HistoryEvent } from '@waymark/domain/states';
import type { HistoryEntry } from './user-views.js';

type NameOf = (uid: string) => string;

/** An event in words. */
export function describeEvent(
  { revision, at, command, changes }: HistoryEvent,
  nameOf: NameOf,
): HistoryEntry {
  return {
    revision,
    at: at.toISOString(),
    cause: describeCause(command, nameOf),
    changes: changes.flatMap((change) => describeChange(change, nameOf) ?? []),
  };
}

function describeCause(cause: Cause, nameOf: NameOf): string {
  switch (cause.kind) {
    case 'transition': {
      const answer = cause.data ? `, with ${JSON.stringify(cause.data)}` : '';
      return `${cause.names.join(', ')} of ${nameOf(cause.block)}${answer}`;
    }
    case 'continue':
      return `time is over in ${nameOf(cause.block)}`;
    case 'migrated':
      return `moved here from version ${cause.from}`;
    case 'restored':
      return cause.revision === 0
        ? 'restored to before it began'
        : `restored to step ${cause.revision}`;
    case 'edited':
      return 'fitted to the edited draft';
    case 'condition':
      return 'done by itself';
    case 'ended':
      return 'the flow ended';
    default:
      return cause.kind;
  }
}

/** Undefined for what the cause says already, or what does not matter to readers. */
function describeChange(change: Change, nameOf: NameOf): string | undefined {
  switch (change.kind) {
    case 'cleared':
      return 'everything forgotten';
    case 'flow':
      return describeFlags(change);
    case 'entered':
    case 'deactivated':
    case 'dropped':
      return `${WORDS[change.kind]} ${nameOf(change.block)}`;
    case 'waiting':
      return `waits in ${nameOf(change.block)} until ${new Date(change.until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    case 'waited':
      return `went on from ${nameOf(change.block)}`;
    case 'branched':
      return `${nameOf(change.block)} was ${change.outcome}`;
    case 'effected':
      return `set off ${nameOf(change.block)}`;
    case 'received':
      return `${nameOf(change.gate)} waits`;
    case 'passed':
      return `passed ${nameOf(change.gate)}`;
    case 'dropped-name':
      return `${change.name} of ${nameOf(change.block)} forgotten`;
    default:
      return undefined;
  }
}

const WORDS = { entered: 'entered', deactivated: 'closed', dropped: 'forgot' };

function describeFlags({ started, stopped, finished }: Extract<Change, { kind: 'flow' }>): string {
  const flags = Object.entries({ started, stopped, finished }).filter(
    ([, value]) => value !== undefined,
  );
  return flags.map(([name, value]) => (value ? name : `not ${name}`)).join(', ');
}
