import { describe, expect, test } from '@jest/globals';
import { findRefusals } from './index.js';

/** What was said before, of which Citus 13 refused each, and what it takes instead. */
const TRIED: Readonly<Record<string, { refused: string; because: RegExp; taken: string }>> = {
  'identify and flow apply': {
    refused:
      'INSERT INTO users (user_id) VALUES ($1) ON CONFLICT (user_id) DO UPDATE SET updated_at = clock_timestamp()',
    because: /not immutable in DO UPDATE/,
    taken: `INSERT INTO users (user_id, updated_at) SELECT $1, clock_timestamp()
            ON CONFLICT (user_id) DO UPDATE SET updated_at = greatest(users.updated_at, excluded.updated_at)`,
  },
  'the queues of effects': {
    refused: `WITH RECURSIVE queues AS (SELECT min(id) AS q FROM effects UNION ALL SELECT (SELECT min(id) FROM effects WHERE id > q) FROM queues WHERE q IS NOT NULL)
              SELECT q FROM queues`,
    because: /RECURSIVE/,
    taken: 'SELECT id FROM effects WHERE NOT (id = ANY ($1)) LIMIT 100',
  },
  'the claim of effects': {
    refused:
      'SELECT user_id FROM effects WHERE next_attempt_at <= now() LIMIT 100 FOR UPDATE SKIP LOCKED',
    because: /look without locks/,
    taken:
      'UPDATE effects SET attempts = attempts + 1 WHERE user_id = $1 AND flow = $2 AND attempts = $3 AND next_attempt_at <= now()',
  },
  'a lock on the rows of many': {
    refused: 'SELECT user_id FROM users WHERE user_id = ANY ($1) FOR KEY SHARE',
    because: /look without locks/,
    taken: 'SELECT user_id FROM users WHERE user_id = $1 FOR KEY SHARE',
  },
  'the pauses of effects': {
    refused:
      'UPDATE effects e SET next_attempt_at = now() + (now() - e.created_at) / 2 WHERE user_id = $1',
    because: /stable function/,
    taken:
      "UPDATE effects e SET next_attempt_at = now() + $2::float8 * interval '1 second' WHERE user_id = $1",
  },
  'the end of an effect': {
    refused: `WITH settled AS (DELETE FROM effects WHERE user_id = $1 RETURNING user_id, revision)
              SELECT n.revision FROM settled s CROSS JOIN LATERAL (
                SELECT n.revision FROM effects n WHERE n.user_id = s.user_id AND n.revision > s.revision LIMIT 2) n`,
    because: /lateral subquery over a function or a CTE/,
    taken: `WITH settled AS (DELETE FROM effects WHERE user_id = $1 RETURNING user_id, revision)
            SELECT n.revision FROM effects n WHERE n.user_id = $1 AND n.revision > $2 LIMIT 2`,
  },
  'states with users and groups': {
    refused:
      'SELECT s.state, g.properties FROM flow_states s JOIN groups g ON g.group_id = $2 WHERE s.user_id = $1',
    because: /groups, which are elsewhere/,
    taken:
      'SELECT s.state, u.properties FROM flow_states s JOIN users u ON u.user_id = s.user_id WHERE s.user_id = $1',
  },
  'states of users': {
    refused:
      'SELECT s.state FROM flow_states s JOIN users u ON (s.user_id, s.flow) >= (u.user_id, $1)',
    because: /not joined by their key/,
    taken:
      'SELECT s.state FROM flow_states s JOIN users u USING (user_id) WHERE (s.user_id, s.flow) >= (u.user_id, $1)',
  },
  'changes that are watched': {
    refused: `SELECT (SELECT array_agg(e.event) FROM flow_events e WHERE e.user_id = w.user_id)
              FROM unnest($1::uuid[]) AS w (user_id) JOIN flow_states s ON s.user_id = w.user_id`,
    because: /beside a function in FROM/,
    taken: `SELECT t.events FROM unnest($1::uuid[]) AS w (user_id) JOIN flow_states s ON s.user_id = w.user_id
            LEFT JOIN LATERAL (SELECT array_agg(e.event) AS events FROM flow_events e WHERE e.user_id = s.user_id) t ON true`,
  },
  'watched states that may not be there': {
    refused:
      'SELECT s.revision FROM unnest($1::uuid[]) AS w (user_id) LEFT JOIN flow_states s ON s.user_id = w.user_id',
    because: /LEFT JOIN from a function/,
    taken:
      'SELECT s.revision FROM unnest($1::uuid[]) AS w (user_id) JOIN flow_states s ON s.user_id = w.user_id',
  },
  'the groups of a user': {
    refused:
      'SELECT g.identifier FROM memberships m JOIN groups g USING (group_id) WHERE m.user_id = $1',
    because: /groups, which are elsewhere/,
    taken:
      'WITH m AS MATERIALIZED (SELECT group_id FROM memberships WHERE user_id = $1) SELECT g.identifier FROM m JOIN groups g USING (group_id)',
  },
  'flow archive': {
    refused: 'UPDATE flows SET archived_at = coalesce(archived_at, now()) WHERE flow = $1',
    because: /CASE or COALESCE/,
    taken: 'UPDATE flows SET archived_at = now() WHERE flow = $1 AND archived_at IS NULL',
  },
  'is there data': {
    refused: 'SELECT EXISTS (SELECT FROM users)',
    because: /select 1/,
    taken: 'SELECT EXISTS (SELECT 1 FROM users)',
  },
  'the revisions of reference data': {
    refused: "SELECT revision || ' ' || xmin AS revision FROM reference_revisions",
    because: /system column/,
    taken: 'SELECT revision::text AS revision FROM reference_revisions',
  },
  'events of a move': {
    refused: `WITH state AS (UPDATE flow_states SET revision = 2 WHERE user_id = $1 RETURNING user_id)
              INSERT INTO flow_events (user_id, event) SELECT $1, e FROM state, unnest($2::text[]) e`,
    because: /without a distributed table/,
    taken: `WITH state AS (UPDATE flow_states SET revision = 2 WHERE user_id = $1 RETURNING user_id)
            INSERT INTO flow_events (user_id, event) SELECT u.user_id, e FROM users u, unnest($2::text[]) e
            WHERE u.user_id = $1 AND EXISTS (SELECT 1 FROM state)`,
  },
  'a batch of users': {
    refused:
      'INSERT INTO users (user_id, identifier) SELECT s, i FROM jsonb_to_recordset($1::jsonb) AS row (s uuid, i text)',
    because: /list VALUES/,
    taken: 'INSERT INTO users (user_id, identifier) VALUES ($1, $2), ($3, $4)',
  },
  'users in a flow': {
    refused: `SELECT DISTINCT ON (u.user_id) s.version FROM unnest($4::int[]) v (version) CROSS JOIN LATERAL (
                SELECT * FROM flow_states o WHERE o.version = v.version AND o.user_id BETWEEN $2 AND $3 OFFSET 0
              ) s JOIN users u ON u.user_id = s.user_id ORDER BY u.user_id, s.version DESC`,
    because: /LIMIT or OFFSET in a lateral subquery/,
    taken: `SELECT DISTINCT ON (u.user_id) s.version FROM flow_states s JOIN users u ON u.user_id = s.user_id
            WHERE s.version = ANY ($4::int[]) AND s.user_id BETWEEN $2 AND $3 ORDER BY u.user_id, s.version DESC`,
  },
  'equal states': {
    refused: `SELECT s.state::jsonb, count(*)::int AS users FROM (
                SELECT o.state::text COLLATE "C" AS state FROM flow_states o WHERE o.flow = $1
              ) s GROUP BY s.state`,
    because: /computed from what is grouped/,
    taken: `SELECT g.state::jsonb, g.users FROM (
              SELECT o.state::text COLLATE "C" AS state, count(*)::int AS users FROM flow_states o WHERE o.flow = $1
              GROUP BY o.state::text COLLATE "C"
            ) g`,
  },
  'backlogs of endpoints': {
    refused: `SELECT n.name, b.backlog FROM endpoints n CROSS JOIN LATERAL (
                SELECT count(*) AS backlog FROM flow_events e WHERE e.place > n.place
              ) b`,
    because: /aggregate in a lateral subquery/,
    taken: 'SELECT count(*) AS backlog FROM flow_events e WHERE e.place > $1',
  },
  'the end of a run': {
    refused: 'UPDATE reset_runs SET finished_at = clock_timestamp() WHERE id = $1',
    because: /volatile/,
    taken: 'UPDATE reset_runs SET finished_at = CURRENT_TIMESTAMP WHERE id = $1',
  },
};

describe('what Citus refuses is seen before it is asked', () => {
  test.each(Object.entries(TRIED))('%s (G3)', async (_what, { refused, because, taken }) => {
    expect(await findRefusals(refused)).toContainEqual(expect.stringMatching(because));
    expect(await findRefusals(taken)).toEqual([]);
  });
});

test('statements about the session are not looked at (G3)', async () => {
  for (const text of ['BEGIN', "SET lock_timeout = '1s'"])
    expect(await findRefusals(text)).toEqual([]);
});

/** What a migration must not do to tables that are distributed, and what it may. */
const CHANGES: Readonly<
  Record<string, { refused: readonly string[]; because: RegExp; taken: readonly string[] }>
> = {
  'unique without the key': {
    refused: [
      'CREATE UNIQUE INDEX CONCURRENTLY x ON effects (id)',
      'ALTER TABLE flow_events ADD CONSTRAINT x UNIQUE (place)',
      'ALTER TABLE effects ADD COLUMN number int UNIQUE',
      'CREATE TABLE memberships (user_id uuid, group_id uuid, PRIMARY KEY (group_id))',
      'CREATE TABLE groups (id uuid PRIMARY KEY, group_id uuid)',
    ],
    because: /without the distribution key/,
    taken: [
      'CREATE UNIQUE INDEX x ON effects (user_id, id)',
      'CREATE INDEX x ON effects (id)',
      'CREATE UNIQUE INDEX x ON audit_log (at)',
      'CREATE TABLE users (user_id uuid PRIMARY KEY, identifier text)',
      'ALTER TABLE memberships ADD CONSTRAINT x UNIQUE (group_id, user_id)',
    ],
  },
  'a trigger': {
    refused: ['CREATE TRIGGER x AFTER INSERT ON flow_events FOR EACH ROW EXECUTE FUNCTION tell()'],
    because: /trigger/,
    taken: ['CREATE TRIGGER x AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION tell()'],
  },
  'numbers of its own': {
    refused: [
      'ALTER TABLE effects ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY',
      'ALTER TABLE effects ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY',
      'ALTER TABLE effects ADD COLUMN number bigserial',
      "ALTER TABLE effects ADD COLUMN number bigint DEFAULT nextval('numbers')",
    ],
    because: /identity column or a sequence/,
    taken: [
      'ALTER TABLE audit_log ADD COLUMN number bigserial',
      'ALTER TABLE effects ADD COLUMN number bigint NOT NULL DEFAULT 0',
    ],
  },
  'a foreign key': {
    refused: [
      'ALTER TABLE flow_states ADD FOREIGN KEY (user_id) REFERENCES users (user_id)',
      'ALTER TABLE effects ADD COLUMN owner uuid REFERENCES environments (id)',
      'CREATE TABLE notes (id uuid PRIMARY KEY, user_id uuid REFERENCES users (user_id))',
    ],
    because: /foreign key/,
    taken: ['CREATE TABLE notes (id uuid PRIMARY KEY, flow text REFERENCES flows (flow))'],
  },
  'the key itself': {
    refused: [
      'ALTER TABLE users DROP COLUMN user_id',
      'ALTER TABLE groups ALTER COLUMN group_id TYPE text',
    ],
    because: /key dropped or of another type/,
    taken: [
      'ALTER TABLE users DROP COLUMN identifier',
      'ALTER TABLE users ALTER COLUMN identifier TYPE varchar(256)',
    ],
  },
};

test.each(Object.entries(CHANGES))(
  'a change to the schema: %s (G2)',
  async (_what, { refused, because, taken }) => {
    for (const text of refused)
      expect([text, await findRefusals(text)]).toEqual([text, [expect.stringMatching(because)]]);
    for (const text of taken) expect([text, await findRefusals(text)]).toEqual([text, []]);
  },
);

test('a CTE that is not carried out before is looked at with what names it (G3)', async () => {
  const withGroups = (how: string) =>
    `WITH m AS ${how} (SELECT group_id FROM memberships WHERE user_id = $1) SELECT g.identifier FROM m JOIN groups g USING (group_id)`;
  expect(await findRefusals(withGroups(''))).toHaveLength(1);
  expect(await findRefusals(withGroups('MATERIALIZED'))).toEqual([]);
});
