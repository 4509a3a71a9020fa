import { userId } from './subject-id.js';

/** One thing that a user did. */
export interface TrackedEvent {
  readonly user: string;
  readonly name: string;
  /** An event whose id is among the last 64 of its user is not counted again. */
  readonly id?: string;
  /** Where it is in the request, for refusals: `[3]`; empty for the request itself. */
  readonly where: string;
}

/** All of it is written or nothing. */
export interface TrackRequest {
  readonly environmentId: string;
  readonly events: readonly TrackedEvent[];
}

/** What one user did, of several requests together. */
export interface UserTrack {
  readonly key: string;
  readonly environmentId: string;
  readonly identifier: string;
  /** Times of each name, of events without an id. */
  readonly counts: Map<string, number>;
  /** Names by id, in order; of equal ids the first counts. */
  readonly ids: Map<string, string>;
}

/** In the order of the keys of the users, in which they are locked (R7). */
export function trackRows(requests: readonly TrackRequest[]): UserTrack[] {
  const users = new Map<string, UserTrack>();
  for (const { environmentId, events } of requests)
    for (const { user: identifier, name, id } of events) {
      const key = userId(environmentId, identifier);
      const { counts, ids } = users.get(key) ?? addUser(users, { key, environmentId, identifier });
      if (id === undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
      else if (!ids.has(id)) ids.set(id, name);
    }
  return [...users.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function addUser(
  users: Map<string, UserTrack>,
  user: Pick<UserTrack, 'key' | 'environmentId' | 'identifier'>,
): UserTrack {
  const track = { ...user, counts: new Map<string, number>(), ids: new Map<string, string>() };
  users.set(user.key, track);
  return track;
}

export const namesOf = ({ counts, ids }: UserTrack): string[] => [
  ...new Set([...counts.keys(), ...ids.values()]),
];
