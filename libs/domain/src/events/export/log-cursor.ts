import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import { invalidRequest } from '../../database/errors/index.js';
import { type LogPosition, positionValues, ORIGIN_SQL } from '../reader/log-position.js';

/**
 * Which history of the server the places are of: another one begins when a standby takes over, when
 * a backup is restored to a point in time, and when places were moved up after a restore into a new
 * cluster (E2).
 */
const LOAD_ERA = defineStatement(
  'load_log_era',
  `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) || '-' || ${ORIGIN_SQL} AS era`,
);
const IS_THERE = defineStatement(
  'is_log_position_there',
  `SELECT EXISTS (
     SELECT 1 FROM flow_events e WHERE e.place = $1::bigint AND e.user_id = $2::uuid AND e.flow = $3 AND e.version = $4::int AND e.revision = $5::int
   ) AS there`,
);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function loadEra(database: Database): Promise<string> {
  const [row] = await database.run<{ era: string }>(LOAD_ERA, []);
  return row!.era;
}

/** A position as a text to keep, which only this room reads. */
export function formatCursor(era: string, position: LogPosition): string {
  return Buffer.from(JSON.stringify([era, ...positionValues(position)])).toString('base64url');
}

/**
 * The position of a cursor. One of another history is taken only where its very event is still
 * there, as what was recorded after it may be other events now (E2). Throws `request.invalid`.
 */
export async function resolveCursor(database: Database, text: string): Promise<LogPosition> {
  const { era, position } = parse(text);
  if (era === (await loadEra(database))) return position;
  const [row] = await database.run<{ there: boolean }>(IS_THERE, positionValues(position));
  if (row?.there) return position;
  throw invalidRequest(
    'the cursor is of another history of this database (a backup was restored, or a standby took over), and its event is not in this one: begin at a time before that instead; events that were exported already come with the same ids',
  );
}

function parse(text: string): { era: string; position: LogPosition } {
  const parts = decode(text);
  const [era, place, userId, flow, version, revision] = parts;
  const isCursor =
    [era, place, userId, flow].every((part) => typeof part === 'string') &&
    /^\d{1,18}$/.test(place as string) &&
    UUID.test(userId as string) &&
    !(flow as string).includes('\0') &&
    [version, revision].every(
      (part) => Number.isInteger(part) && Math.abs(part as number) < 2 ** 31,
    );
  if (!isCursor) throw invalidRequest('this is no cursor of an export; it may have been cut');
  return {
    era: era as string,
    position: {
      place: place as string,
      userId: userId as string,
      flow: flow as string,
      version: version as number,
      revision: revision as number,
    },
  };
}

function decode(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text.trim(), 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
