// Plans, or runs the engine alone, in a process of its own: told what to do by the message { url,
// environmentId, flow, definition, strategy, isAlone }, it answers with { users, seconds, early,
// late }; these two are the most memory that it held in its first half and after it, in MiB. Talks
// to bench/plan.mjs.
import { once } from 'node:events';
import { compile, migrate } from '@waymark/domain/engine';
import { planFlows } from '@waymark/domain/analysis';
import { createDataSource } from '@waymark/domain/schema';

/**
 * States that the engine alone is measured on: those with the lowest ids, which are hashes and so a
 * fair sample.
 */
const ALONE = 50_000;
const MIB = 1_048_576;

const [task] = await once(process, 'message');
const dataSource = await createDataSource({
  url: task.url,
  poolSize: 4,
  applicationName: 'bench',
  statementTimeoutMs: 0,
  connectTimeoutMs: 5_000,
  answerTimeoutMs: 0,
}).initialize();
process.send(await (task.isAlone ? migrateAlone() : plan()));
await dataSource.destroy();
process.disconnect();

async function plan() {
  const { environmentId, definition, strategy } = task;
  const most = { early: 0, late: 0 };
  const onProgress = (_flow, _users, done) => {
    const part = done < 0.5 ? 'early' : 'late';
    most[part] = Math.max(most[part], process.memoryUsage.rss() / MIB);
  };
  const before = performance.now();
  const [{ users }] = await planFlows(
    dataSource,
    environmentId,
    { definitions: [definition], strategies: [strategy] },
    { onProgress },
  );
  return {
    users: users.total,
    outcome: users,
    seconds: (performance.now() - before) / 1000,
    ...most,
  };
}

/** The same states with the same properties, read before the clock runs. */
async function migrateAlone() {
  const { flow, definition, strategy } = task;
  const rows = await dataSource.query(
    `SELECT s.state, u.identifier, u.properties FROM flow_states s JOIN users u USING (user_id)
     WHERE s.flow = $1 ORDER BY s.user_id LIMIT ${ALONE}`,
    [flow],
  );
  const compiled = compile(definition);
  const before = performance.now();
  for (const { state, identifier, properties } of rows) {
    const user = { identifier, properties, createdAt: 0, updatedAt: 0 };
    migrate(compiled, { version: 1, state }, strategy, { now: 0, user, group: null });
  }
  return { users: rows.length, seconds: (performance.now() - before) / 1000 };
}
