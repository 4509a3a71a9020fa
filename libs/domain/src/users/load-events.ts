import type { DataSource } from 'typeorm';
import type { Subject } from '../targeting/index.js';

type Events = NonNullable<Subject['events']>;

const milliseconds = (time: string): string => `floor(extract(epoch FROM ${time}) * 1000)`;
const EVENTS = `json_object_agg(e.name, json_build_object('count', e.count, 'first', ${milliseconds('e.first_at')}, 'last', ${milliseconds('e.last_at')}))`;

/** SQL: what a user did, of the names of a list, as expressions see it; null for none (Z2). */
export const eventsJson = (userId: string, names: string): string =>
  `(SELECT ${EVENTS} FROM user_events e WHERE e.user_id = ${userId} AND e.name = ANY (${names}))`;

/** SQL: the same of many users; null names are all of them. */
export const EVENTS_OF_USERS = `
  SELECT e.user_id AS "userId", ${EVENTS} AS events FROM user_events e
  WHERE e.user_id = ANY ($1::uuid[]) AND ($2::text[] IS NULL OR e.name = ANY ($2::text[])) GROUP BY e.user_id`;

export interface EventsRow {
  readonly userId: string;
  readonly events: Events;
}

/** What users did, by their ids; nothing is read for no names, everything for `all`. */
export async function loadEvents(
  dataSource: DataSource,
  userIds: readonly string[],
  names: readonly string[] | 'all',
): Promise<ReadonlyMap<string, Events>> {
  if (names.length === 0 || userIds.length === 0) return new Map();
  const values = [userIds, names === 'all' ? null : names];
  const rows: EventsRow[] = await dataSource.query(EVENTS_OF_USERS, values);
  return new Map(rows.map(({ userId, events }) => [userId, events]));
}

/** The user with what they did, where any of it is known. */
export const withEvents = (user: Subject, events: Events | null | undefined): Subject =>
  events ? { ...user, events } : user;
