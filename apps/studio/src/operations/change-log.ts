import type { EntityManager } from 'typeorm';
import { In } from 'typeorm';
import { type AuditFilter, listAudit } from '@waymark/domain/database/audit';
import { FlowVersion } from '@waymark/domain/flows';
import { User } from '@waymark/domain/users';
import type { ChangeRow } from './operations-views.js';

/** The audit log, newest first, with the names of users and why versions were published. */
export async function listChanges(
  manager: EntityManager,
  filter: AuditFilter,
): Promise<ChangeRow[]> {
  const entries = await listAudit(manager, filter);
  const ids = entries.flatMap(({ userId }) => userId ?? []);
  const users = await manager.find(User, {
    select: { userId: true, identifier: true },
    where: { userId: In(ids) },
  });
  const names = new Map(users.map(({ userId, identifier }) => [userId, identifier]));
  const rows = entries.map(({ userId, result, ...row }) => ({
    ...row,
    outcome: result.outcome,
    user: (userId && names.get(userId)) ?? null,
    ...detailsOf(row.subject, { ...result }),
  }));
  const messageOf = await loadMessages(manager, rows);
  return rows.map((row) => ({ ...row, message: messageOf(row) }));
}

/** Why versions were published, each reason once. */
async function loadMessages(
  manager: EntityManager,
  rows: readonly Published[],
): Promise<(row: Published) => string | null> {
  const named = rows.flatMap(publishedIn);
  const where = named.map(([flow, version]) => ({ flow, version: version || -1 }));
  if (where.length === 0) return () => null;
  const select = { flow: true, version: true, message: true } as const;
  const found = await manager.find(FlowVersion, { select, where });
  const messages = new Map(found.map((one) => [`${one.flow} ${one.version}`, one.message]));
  return (row) => {
    const reasons = publishedIn(row).map((one) => messages.get(one.join(' ')));
    return [...new Set(reasons.filter(Boolean))].join('; ') || null;
  };
}

type Published = Pick<ChangeRow, 'action' | 'published'>;

const publishedIn = ({ action, published }: Published): [string, number][] =>
  ['flow.commit', 'flow.apply'].includes(action) ? Object.entries(published) : [];

const COUNTED = ['matched', 'reset', 'restored', 'unchanged', 'movedOn', 'failed'];

const NAMED = ['added', 'changed', 'removed'];

/** The versions, counts and names that the log has of a change. */
function detailsOf(
  subject: string | null,
  { version, versions = {}, ...rest }: Readonly<Record<string, unknown>>,
): Pick<ChangeRow, 'published' | 'counts' | 'named'> {
  const published = typeof version === 'number' ? { [subject ?? '']: version } : versions;
  const counts = Object.entries(rest).filter(
    ([name, count]) => COUNTED.includes(name) && typeof count === 'number' && count > 0,
  );
  const named = Object.entries(rest).filter(
    ([name, all]) => NAMED.includes(name) && Array.isArray(all) && all.length > 0,
  );
  return {
    named: Object.fromEntries(named) as Record<string, string[]>,
    published: published as Record<string, number>,
    counts: Object.fromEntries(counts) as Record<string, number>,
  };
}
