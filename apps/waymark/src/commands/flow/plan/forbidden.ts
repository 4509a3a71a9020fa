import { InvalidArgumentError } from 'commander';
import type { Plan } from '@waymark/domain/impact';
import { countUsers } from '../../../output/numbers.js';

/** What a pull request may be kept from doing to users (I3). */
export const FORBIDDEN = ['restarts', 'stops', 'finishes', 'drops'] as const;
export type Forbidden = (typeof FORBIDDEN)[number];

/** Reads a list such as `restarts,drops`. */
export function parseForbidden(text: string): readonly Forbidden[] {
  const kinds = text.split(',').map((kind) => kind.trim());
  const known = FORBIDDEN.filter((kind) => kinds.includes(kind));
  if (kinds.every((kind) => (FORBIDDEN as readonly string[]).includes(kind))) return known;
  throw new InvalidArgumentError(`Write some of ${FORBIDDEN.join(', ')}, with commas between them.`);
}

/** A sentence for each forbidden thing that the plan would do to anybody. */
export function touched({ flow, migration, users, sampled }: Plan, forbid: readonly Forbidden[]): string[] {
  const among = sampled ? ` among the first ${countUsers(sampled.users)}` : '';
  const sentences: Record<Forbidden, [number, string]> = {
    restarts: [users.restarted, `it restarts ${countUsers(users.restarted)}`],
    stops: [users.stopped, `it stops ${countUsers(users.stopped)}`],
    finishes: [users.finished, `it finishes the flow for ${countUsers(users.finished)}`],
    drops: [Object.keys(users.lost).length, `it drops blocks with users in them: ${describeLost(users.lost)}`],
  };
  return forbid.filter((kind) => sentences[kind][0] > 0).map((kind) => `${flow} (${migration}): ${sentences[kind][1]}${among}`);
}

export const describeLost = (lost: Plan['users']['lost']): string =>
  Object.entries(lost)
    .map(([block, users]) => `${block} (${countUsers(users)})`)
    .join(', ');
