/** Where databases of this test run are made. */
export interface TestRun {
  /** A superuser's address of the server. */
  url: string;
  /** Names of all databases of the run start with it; what is left at the end is dropped by it. */
  prefix: string;
  /** Whether the run is about the partitioned schema (`WAYMARK_TEST_PARTITIONED=1`). */
  partitioned: boolean;
  /**
   * Where databases are distributed: the server is the coordinator of a Citus cluster
   * (`CITUS_URL`), or a plain one that passes for it (`WAYMARK_TEST_CITUS=rehearsed`).
   */
  distributed?: 'cluster' | 'rehearsed';
}

let run: Promise<TestRun> | undefined;

/**
 * The run this worker belongs to. The first caller of all workers makes the server start
 * (tools/jest-setup.mjs).
 */
export const loadTestRun = (): Promise<TestRun> => (run ??= askDesk());

async function askDesk(): Promise<TestRun> {
  const desk = process.env['WAYMARK_TEST_DESK'];
  if (!desk)
    throw new Error('no PostgreSQL for tests: run them with `npm test` or `node tools/test.mjs`');
  const answer = await fetch(desk);
  if (!answer.ok) throw new Error(await answer.text());
  const { url, prefix } = (await answer.json()) as { url: string; prefix: string };
  const {
    WAYMARK_TEST_PARTITIONED: partitioned,
    CITUS_URL: citus,
    WAYMARK_TEST_CITUS: asked,
  } = process.env;
  const distributed = citus ? 'cluster' : asked === 'rehearsed' ? 'rehearsed' : undefined;
  return { url, prefix, partitioned: partitioned === '1', distributed };
}
