import { mergeRawObjects } from '../targeting/index.js';
import { groupId, userId } from './subject-id.js';

/** A user or group to write, keyed by its id. */
export interface SubjectRow {
  readonly key: string;
  readonly environmentId: string;
  readonly identifier: string;
  /** The raw text of a JSON object. */
  readonly properties: string;
}

/** One row for each user, group and membership of several requests together. */
export interface IdentifyRows {
  readonly users: readonly SubjectRow[];
  readonly groups: readonly SubjectRow[];
  readonly memberships: readonly (readonly [user: string, group: string])[];
}

/** A user or group to write, with the properties to set. */
export interface IdentifiedSubject {
  readonly identifier: string;
  /** The raw text of a JSON object, stored as it is written (U2). */
  readonly properties: string;
  /** Where it is in the request, for refusals: `[3].groups[0]`; empty for the request itself. */
  readonly where: string;
}

/**
 * What one request wants written, all of it or nothing (U3, U4). Of equal identifiers the later
 * ones merge into the earlier.
 */
export interface IdentifyRequest {
  readonly environmentId: string;
  readonly users: readonly IdentifiedSubject[];
  readonly groups: readonly IdentifiedSubject[];
  readonly memberships: readonly { readonly user: string; readonly group: string }[];
}

interface Collected {
  readonly environmentId: string;
  readonly subject: IdentifiedSubject;
  /** The same subject again, in order. */
  later?: IdentifiedSubject[];
}

/**
 * Users and groups are in the order of their keys, in which they are locked (R7); a membership is
 * written when its group is locked. Of equal identifiers the later ones merge into the earlier
 * (U4).
 */
export function identifyRows(requests: readonly IdentifyRequest[]): IdentifyRows {
  const users = new Map<string, Collected>();
  const groups = new Map<string, Collected>();
  const memberships = new Map<string, readonly [user: string, group: string]>();
  for (const request of requests) {
    const { environmentId } = request;
    for (const subject of request.users)
      collect(users, userId(environmentId, subject.identifier), environmentId, subject);
    for (const subject of request.groups)
      collect(groups, groupId(environmentId, subject.identifier), environmentId, subject);
    for (const { user, group } of request.memberships) {
      const keys = [userId(environmentId, user), groupId(environmentId, group)] as const;
      memberships.set(keys.join(), keys);
    }
  }
  return { users: toRows(users), groups: toRows(groups), memberships: [...memberships.values()] };
}

function collect(
  rows: Map<string, Collected>,
  key: string,
  environmentId: string,
  subject: IdentifiedSubject,
): void {
  const row = rows.get(key);
  if (row) (row.later ??= []).push(subject);
  else rows.set(key, { environmentId, subject });
}

function toRows(collected: ReadonlyMap<string, Collected>): SubjectRow[] {
  return [...collected.keys()].sort().map((key) => {
    const { environmentId, subject, later } = collected.get(key)!;
    const properties = later
      ? mergeRawObjects([subject, ...later].map((one) => one.properties))
      : subject.properties;
    return { key, environmentId, identifier: subject.identifier, properties };
  });
}
