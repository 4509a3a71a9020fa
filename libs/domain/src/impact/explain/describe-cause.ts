import type { CompiledFlow } from '../../engine/index.js';
import type { Since } from './biography.js';

const ORIGINS: Readonly<Record<string, string>> = {
  read: 'a read',
  request: 'a request of the application',
  trigger: 'a trigger of another flow',
  operator: 'an operator',
};

/** What brought something about, as in `stopped by …`. */
export function describeCause({ cause, origin }: Since, { byUid }: CompiledFlow): string {
  const who = origin === null ? '' : ` of ${ORIGINS[origin] ?? origin}`;
  switch (cause.kind) {
    case 'transition':
      return `taking ${cause.names.join(', ')} on ${byUid.get(cause.block)?.id ?? 'a block that is gone'}`;
    case 'migrated':
      return `being taken over from version ${cause.from} (${cause.strategy})`;
    case 'edited':
      return 'an edit of the draft';
    case 'start':
      if (origin === 'read') return 'the first read of a user who qualifies';
      return `a start${cause.force ? ' with force' : ''}${who}`;
    default:
      return `a ${cause.kind}${who}`;
  }
}

/** A moment as in `at 2026-05-01 12:00:05 UTC`. */
export const atTime = (at: Date): string => `at ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
