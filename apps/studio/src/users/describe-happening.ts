import type { Cause, Change, FlowDefinition } from '@waymark/domain/engine';
import type { HistoryEvent } from '@waymark/domain/flow-states';
import type { Happening } from './user-views.js';

type NameOf = (uid: string) => string;

/** An event in words. */
export function describeHappening({ revision, at, command, changes }: HistoryEvent, nameOf: NameOf): Happening {
  return {
    revision,
    at: at.toISOString(),
    cause: describeCause(command, nameOf),
    changes: changes.flatMap((change) => describeChange(change, nameOf) ?? []),
  };
}

function describeCause(cause: Cause, nameOf: NameOf): string {
  return 'block' in cause ? `${cause.names.join(', ')} of ${nameOf(cause.block)}` : cause.kind;
}

function describeChange(change: Change, nameOf: NameOf): string | undefined {
  const { kind, ...rest } = change;
  if (kind === 'carried') return undefined;
  const words = Object.entries(rest).flatMap(([key, value]) => {
    if (key === 'outcome') return String(value);
    if (typeof value === 'boolean') return value ? key : `not ${key}`;
    return typeof value === 'string' ? (key === 'name' ? value : nameOf(value)) : [];
  });
  return kind === 'flow' ? words.join(', ') : [kind, ...words].join(' ');
}

/** Identifiers by uid; a uid that the version no longer has stands for itself. */
export function namesOf({ blocks }: FlowDefinition): NameOf {
  const all = blocks.flatMap((block) => [block, ...('items' in block ? block.items : [])]);
  const names = new Map(all.map(({ uid, id }) => [uid, id]));
  return (uid) => names.get(uid) ?? uid;
}
