import type { DataSource } from 'typeorm';
import { type Answer, type Cause, identifiersOf } from '../../engine/index.js';
import { loadFlowVersion } from '../../flows/versions/load-version.js';

/** What one user answered, and when. */
export interface GivenAnswer {
  readonly user: string;
  readonly at: Date;
  readonly block: string;
  readonly names: readonly string[];
  readonly data: Answer;
}

export interface AnswerPage {
  /** The latest first. */
  readonly answers: readonly GivenAnswer[];
  /** The `before` of the next page; missing where there are no earlier ones. */
  readonly next?: string;
}

interface AnswerRow {
  /** In microseconds since 1970, which a Date has not. */
  at: string;
  userId: string;
  revision: number;
  cause: Extract<Cause, { kind: 'transition' }>;
}

const ANSWERS = `
  SELECT (extract(epoch FROM e.at) * 1000000)::bigint AS at, e.user_id AS "userId", e.revision, e.event -> 'cause' AS cause
  FROM flow_events e
  WHERE e.flow = $1 AND e.version = $2 AND e.event -> 'cause' ? 'data'
    AND (e.at, e.user_id, e.revision) < ('epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4::uuid, $5::int)
  ORDER BY e.at DESC, e.user_id DESC, e.revision DESC LIMIT $6`;
const USERS =
  'SELECT user_id AS "userId", identifier FROM users WHERE user_id = ANY ($1::uuid[]) AND environment_id = $2';

/**
 * Answers that one statement reads, and one page looks at: those of all environments lie together.
 */
const READ = 500;
const MOST_LOOKED_AT = 10_000;
/** Behind all of them. */
const END = '9999999999999999 ffffffff-ffff-ffff-ffff-ffffffffffff 2147483647';
export const ANSWER_CURSOR = /^\d{1,16} [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12} \d{1,9}$/;

/**
 * What users of a version answered (Z3): `limit` answers, or fewer and `next` once some 10,000 of
 * all environments were looked at. Throws `flow.unknown` and `version.unknown`.
 */
export async function listAnswers(
  dataSource: DataSource,
  environmentId: string,
  flow: string,
  version: number,
  { before = END, limit = 100 }: { readonly before?: string; readonly limit?: number } = {},
): Promise<AnswerPage> {
  const nameOf = identifiersOf(
    (await loadFlowVersion(dataSource.manager, flow, version)).definition,
  );
  const answers: GivenAnswer[] = [];
  let after = before;
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += READ) {
    const values = [flow, version, ...after.split(' '), READ];
    const rows: AnswerRow[] = await dataSource.query(ANSWERS, values);
    const users = await loadIdentifiers(dataSource, environmentId, rows);
    for (const row of rows) {
      const user = users.get(row.userId);
      if (user === undefined) continue;
      if (answers.length === limit) return { answers, next: after };
      answers.push(answerOf(row, user, nameOf));
      after = cursorOf(row);
    }
    if (rows.length < READ) return { answers };
    after = cursorOf(rows.at(-1)!);
  }
  return { answers, next: after };
}

async function loadIdentifiers(
  dataSource: DataSource,
  environmentId: string,
  rows: readonly AnswerRow[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ userId }) => userId))];
  const users: { userId: string; identifier: string }[] = await dataSource.query(USERS, [
    ids,
    environmentId,
  ]);
  return new Map(users.map(({ userId, identifier }) => [userId, identifier]));
}

const answerOf = (
  { at, cause: { block, names, data } }: AnswerRow,
  user: string,
  nameOf: (uid: string) => string,
): GivenAnswer => ({
  user,
  at: new Date(Number(at) / 1_000),
  block: nameOf(block),
  names,
  data: data!,
});

const cursorOf = ({ at, userId, revision }: AnswerRow): string => `${at} ${userId} ${revision}`;
