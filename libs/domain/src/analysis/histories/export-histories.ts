import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { FlowEvent } from '../../engine/index.js';
import { loadFlowVersion } from '../../flows/index.js';
import { unlessNewer } from '../../flows/versions/unknown.js';
import type { HistoryCounts, HistoryLine, StateLine, VersionLine } from './history-line.js';
import { bareCause, bareChange, bareDefinition, bareState } from './without-users.js';

export interface HistoriesExport {
  readonly flow: string;
  /** Users at most, chosen by chance; 1,000 when left out. */
  readonly users?: number;
  /** The release that wrote the file. */
  readonly release: string;
  /** Called after some users, and at the end. */
  readonly onProgress?: (counts: HistoryCounts, chosen: number) => void;
  readonly signal?: AbortSignal;
}

/** Users whose states are in memory at once, and events of one state. */
const USERS = 50;
const EVENTS = 1_000;
const HOUR_MS = 3_600_000;
/** When each state began, by the file. */
const BEGINNING_MS = Date.UTC(2000, 0, 1);

/**
 * The order is that of a key which nobody keeps: by that of ids, which are hashes of identifiers,
 * users could be guessed.
 */
const CHOOSE = `
  SELECT s.user_id AS "userId" FROM flow_states s JOIN users u ON u.user_id = s.user_id
  WHERE s.flow = $1 AND u.environment_id = $2
  GROUP BY s.user_id ORDER BY sha256(convert_to(s.user_id::text || $3, 'UTF8')) LIMIT $4`;
const STATES = `
  SELECT user_id AS "userId", version, revision, state FROM flow_states
  WHERE flow = $1 AND user_id = ANY ($2::uuid[]) ORDER BY user_id, version`;
/**
 * None beyond the revision of the state that was read before: the user may go on during the export.
 */
const EVENTS_OF_STATE = `
  SELECT revision, at, event FROM flow_events
  WHERE user_id = $1 AND flow = $2 AND version = $3 AND revision > $4 AND revision <= $5
  ORDER BY revision LIMIT ${EVENTS}`;

interface StateRow extends Pick<StateLine, 'version' | 'revision' | 'state'> {
  readonly userId: string;
}
interface EventRow {
  readonly revision: number;
  readonly at: Date;
  readonly event: FlowEvent;
}

/**
 * The recorded events and stored states of users of a flow, in all versions, as lines of JSON from
 * which nobody can tell who they are. What is in memory does not grow with them, but for their ids.
 * Throws `flow.unknown`, and `flow.newer` for what a newer release wrote.
 */
export async function* exportHistories(
  dataSource: DataSource,
  environmentId: string,
  { flow, users = 1_000, release, onProgress, signal }: HistoriesExport,
): AsyncGenerator<string> {
  await loadFlowVersion(dataSource.manager, flow, 0);
  yield textOf({ kind: 'histories', format: 1, release, flow });
  const key = randomBytes(32).toString('hex');
  const rows = (await dataSource.query(CHOOSE, [flow, environmentId, key, users])) as StateRow[];
  const chosen = rows.map(({ userId }) => userId);
  const writer = new HistoryWriter(dataSource, flow);
  for (let begin = 0; begin < chosen.length; begin += USERS) {
    signal?.throwIfAborted();
    yield* writer.write(chosen.slice(begin, begin + USERS));
    onProgress?.(writer.counts, chosen.length);
  }
  yield textOf({ kind: 'end', ...writer.counts });
}

/** Numbers users and remembers which versions the file has. */
class HistoryWriter {
  readonly counts = { users: 0, states: 0, events: 0 };
  private readonly versions = new Set<number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly flow: string,
  ) {}

  async *write(userIds: readonly string[]): AsyncGenerator<string> {
    const rows = (await this.dataSource.query(STATES, [this.flow, userIds])) as StateRow[];
    for (const userId of userIds) {
      const states = rows.filter((row) => row.userId === userId);
      // Users deleted since are left out.
      if (states.length > 0) yield* this.writeUser(states);
    }
  }

  private async *writeUser(states: readonly StateRow[]): AsyncGenerator<string> {
    const user = `user-${++this.counts.users}`;
    for (const row of states) {
      const { version, revision } = row;
      if (!this.versions.has(version)) yield textOf(await this.loadVersion(version));
      this.versions.add(version);
      this.counts.states++;
      const state = unlessNewer(this.flow, version, () => bareState(row.state));
      yield textOf({ kind: 'state', user, version, revision, state });
      yield* this.writeEvents(row);
    }
  }

  private async loadVersion(version: number): Promise<VersionLine> {
    const { definition } = await loadFlowVersion(this.dataSource.manager, this.flow, version);
    const bare = unlessNewer(this.flow, version, () => bareDefinition(definition));
    return { kind: 'version', version, definition: bare };
  }

  private async *writeEvents({
    userId,
    version,
    revision: last,
  }: StateRow): AsyncGenerator<string> {
    const clock = new StateClock();
    for (let after = 0; after < last;) {
      const values = [userId, this.flow, version, after, last];
      const rows = (await this.dataSource.query(EVENTS_OF_STATE, values)) as EventRow[];
      const lines = rows.map((row) =>
        textOf(unlessNewer(this.flow, version, () => eventLine(row, clock))),
      );
      yield lines.join('');
      this.counts.events += rows.length;
      if (rows.length < EVENTS) return;
      after = rows.at(-1)!.revision;
    }
  }
}

/** Moves the times of a state, and makes them too coarse to be found again in another log. */
class StateClock {
  private first: number | undefined;

  relative(at: Date): string {
    this.first ??= at.getTime();
    const hours = Math.floor((at.getTime() - this.first) / HOUR_MS);
    return new Date(BEGINNING_MS + hours * HOUR_MS).toISOString();
  }
}

function eventLine({ revision, at, event }: EventRow, clock: StateClock): HistoryLine {
  const { format, cause, changes } = event;
  return {
    kind: 'event',
    revision,
    at: clock.relative(at),
    format,
    cause: bareCause(cause),
    changes: changes.map(bareChange),
  };
}

const textOf = (line: HistoryLine): string => `${JSON.stringify(line)}\n`;
