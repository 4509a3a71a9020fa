import { Batcher, type BatchLimits } from '../database/batcher.js';
import type { Database } from '../database/database.js';
import { DomainError, invalidRequest } from '../database/errors/index.js';
import { constraintOf } from './identify-refusal.js';
import { userId } from './subject-id.js';
import { type TrackRequest, trackRows } from './track-rows.js';
import { TRACK, trackInSteps, trackValues } from './track-statements.js';

/** Names of events that a user may have; the schema says so too. */
const MOST_NAMES = 200;

const LIMITS: BatchLimits = {
  maxInFlight: 2,
  enoughRows: 100,
  maxWaitMs: 5,
  rows: 1_000,
  characters: 1_048_576,
  waiting: 5_000,
  waitingCharacters: 16_777_216,
  patienceMs: 2_000,
  sendsOnce: true,
};

/** Counts what users did; concurrent requests share a statement and its commit (Z2, U4, U7). */
export class Track {
  private readonly batcher: Batcher<TrackRequest>;

  constructor(
    private readonly database: Database,
    limits: Partial<BatchLimits> = {},
  ) {
    this.batcher = new Batcher((requests) => this.write(requests), { ...LIMITS, ...limits });
  }

  /**
   * Resolves once all of the request is committed. Rejects, with nothing of it changed, with
   * `events.too-many`, `request.invalid`, `service.overloaded` or `database.unavailable`; after the
   * last it may also have been counted.
   */
  async run(request: TrackRequest): Promise<void> {
    const { events } = request;
    if (events.length === 0) return;
    let characters = 0;
    for (const { user, name, id = '' } of events)
      characters += user.length + name.length + id.length;
    await this.batcher.add(request, { rows: events.length, characters });
  }

  private async write(requests: readonly TrackRequest[]): Promise<void> {
    const users = trackRows(requests);
    try {
      if (!(await this.database.isDistributed()))
        return void (await this.database.run(TRACK, trackValues(users)));
      await this.database.transaction(async (run) => {
        for (const user of users) await trackInSteps(run, user);
        return true;
      });
    } catch (error) {
      throw requests.length === 1 ? trackRefusal(error, requests[0]!) : error;
    }
  }
}

/** What PostgreSQL refused of one request, in words of the domain. */
function trackRefusal(error: unknown, { environmentId, events }: TrackRequest): unknown {
  const { code = '', detail, message } = error as Error & { code?: string; detail?: string };
  if (code === '23514' && constraintOf(error as Error) === 'tracked_users_names') {
    const event = events.findLast(({ user }) => detail?.includes(userId(environmentId, user)));
    const where = event?.where ? `${event.where}: ` : '';
    const whose = event ? `user ${JSON.stringify(event.user)}` : 'a user';
    return new DomainError(
      'events.too-many',
      `${where}${whose} would have events of more than ${MOST_NAMES} names; use fewer, such as one for all that differ by a number; nothing was counted`,
      { cause: error },
    );
  }
  if (!code.startsWith('22')) return error;
  return invalidRequest(`the event cannot be stored: ${message}`, { cause: error });
}
