import { Batcher, type BatchLimits } from '../database/batcher.js';
import type { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import { identifyRefusal } from './identify-refusal.js';
import {
  type IdentifyRequest,
  type IdentifiedSubject,
  identifyRows,
  type IdentifyRows,
} from './identify-rows.js';
import {
  IDENTIFY_USER,
  IDENTIFY_USERS,
  IDENTIFY_WITH_GROUPS,
  identifySpread,
  identifyValues,
} from './identify-statement.js';
import { userId } from './subject-id.js';

const LIMITS: BatchLimits = {
  maxInFlight: 4,
  enoughRows: 100,
  maxWaitMs: 5,
  rows: 1_000,
  characters: 4_194_304,
  waiting: 5_000,
  waitingCharacters: 67_108_864,
  patienceMs: 2_000,
};

/**
 * Writes users, groups and memberships; concurrent requests share a statement and its commit (U1,
 * U3, U4, U7).
 */
export class Identify {
  private readonly plain: Batcher<IdentifyRequest>;
  private readonly grouped: Batcher<IdentifyRequest>;
  private readonly alone: Batcher<IdentifyRequest>;

  constructor(
    private readonly database: Database,
    limits: Partial<BatchLimits> = {},
  ) {
    // The rest of the pool stays free for what is not a write.
    const most = Math.max(1, (database.pool.options.max ?? LIMITS.maxInFlight) - 2);
    const maxInFlight = Math.min(LIMITS.maxInFlight, most);
    this.plain = new Batcher(
      refusing((requests) => this.writeAll(IDENTIFY_USERS, requests)),
      {
        ...LIMITS,
        maxInFlight,
        ...limits,
      },
    );
    // One at a time: requests tend to name the same few groups, and statements side by side would
    // queue for their rows.
    this.grouped = new Batcher(
      refusing((requests) => this.writeAll(IDENTIFY_WITH_GROUPS, requests)),
      {
        ...LIMITS,
        maxInFlight: 1,
        ...limits,
      },
    );
    // Where tables are distributed, each user may lie on another server (G1).
    this.alone = new Batcher(
      refusing(([request]) => this.writeUser(request!)),
      {
        ...LIMITS,
        ...limits,
        maxInFlight: most,
        enoughRows: 1,
        rows: 1,
      },
    );
  }

  /**
   * Resolves once all of the request is committed. Rejects, with nothing of it changed, with
   * `properties.too-large` (U1), `request.invalid` (U2), `service.overloaded` or
   * `database.unavailable`; after the last the write may also have happened, so that the caller
   * repeats it.
   */
  async run(request: IdentifyRequest): Promise<void> {
    const { users, groups, memberships } = request;
    const rows = users.length + groups.length + memberships.length;
    const isAlone = rows === 1 && users.length === 1;
    if (isAlone && (await this.database.isDistributed())) return this.alone.add(request);
    const batcher = groups.length > 0 ? this.grouped : this.plain;
    if (rows > 0)
      await batcher.add(request, { rows, characters: lengthOf(users) + lengthOf(groups) });
  }

  private async writeUser(request: IdentifyRequest): Promise<void> {
    const { environmentId, users } = request;
    const { identifier, properties } = users[0]!;
    const values = [userId(environmentId, identifier), environmentId, identifier, properties];
    await this.database.run(IDENTIFY_USER, values);
  }

  private async writeAll(
    statement: Statement,
    requests: readonly IdentifyRequest[],
  ): Promise<void> {
    const rows = identifyRows(requests);
    if (await this.database.isDistributed()) return this.writeSpread(rows);
    const [users, ...others] = identifyValues(rows);
    await this.database.run(statement, statement === IDENTIFY_USERS ? [users] : [users, ...others]);
  }

  /**
   * Where tables are distributed: one statement is a transaction by itself, on however many
   * servers.
   */
  private async writeSpread(rows: IdentifyRows): Promise<void> {
    const writes = identifySpread(rows);
    if (writes.length === 1)
      return void (await this.database.run(writes[0]!.statement, writes[0]!.values));
    await this.database.transaction(async (run) => {
      for (const { statement, values } of writes) await run(statement, values);
      return true;
    });
  }
}

/** One request alone is refused in words of the domain. */
const refusing =
  (write: (requests: readonly IdentifyRequest[]) => Promise<void>) =>
  async (requests: readonly IdentifyRequest[]): Promise<void> => {
    try {
      await write(requests);
    } catch (error) {
      throw requests.length === 1 ? identifyRefusal(error, requests[0]!) : error;
    }
  };

const lengthOf = (subjects: readonly IdentifiedSubject[]): number => {
  let length = 0;
  for (const { identifier, properties } of subjects)
    length += identifier.length + properties.length;
  return length;
};
