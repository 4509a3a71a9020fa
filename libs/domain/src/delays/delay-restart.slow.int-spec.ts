import { expect, test } from '@jest/globals';
import { card, defineFlow, delay } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { startThrowawayPostgres, type ThrowawayPostgres } from '@waymark/testing/postgres';
import type { DataSource } from 'typeorm';
import { fold } from '../engine/index.js';
import { createDataSource } from '../schema/index.js';
import { DelayWorker } from './index.js';

const USERS = 400;

/** A millisecond is over at once. */
const FLOW = defineFlow({ flow: 'away', blocks: { wait: delay('then', 1), then: card() } });

async function openReplica(url: string): Promise<Fixture> {
  const connect = () =>
    createDataSource({
      url,
      poolSize: 10,
      applicationName: 'delays',
      statementTimeoutMs: 0,
      connectTimeoutMs: 500,
      answerTimeoutMs: 0,
    }).initialize();
  return Fixture.open({
    database: { url, name: 'delays', connect, drop: () => Promise.resolve() },
  });
}

async function restart(server: ThrowawayPostgres, mode: 'fast' | 'immediate' | 'kill') {
  if (mode !== 'kill') return server.restart(mode);
  await server.kill();
  await server.start();
}

async function areLeft(dataSource: DataSource): Promise<boolean> {
  const [{ left }] = await dataSource.query('SELECT count(*)::int AS left FROM delays');
  return left > 0;
}

/** As if half a minute had gone by since a connection that was lost claimed some. */
const endLeases = (dataSource: DataSource) =>
  dataSource.query('UPDATE delays SET due_at = now() WHERE due_at > now()');

test.each(['fast', 'immediate', 'kill'] as const)(
  'delays that are due while PostgreSQL restarts (%s) go on once each, on two replicas (Z4, R2)',
  async (mode) => {
    const server = await startThrowawayPostgres();
    try {
      const replicas = await Promise.all([openReplica(server.url), openReplica(server.url)]);
      const [fixture] = replicas as [Fixture, Fixture];
      await fixture.commit(FLOW);
      await replicas[1]!.catalogue.refresh();
      const users = Array.from({ length: USERS }, (_, index) => `user-${index}`);
      await fixture.identifyAll(users, () => ({}));
      await Promise.all(users.map((user) => fixture.read(user, 'away')));
      let wasRestarted = false;
      let continued = 0;
      let restarted: Promise<void> = Promise.resolve();
      const workers = replicas.map(
        (replica) =>
          new DelayWorker(replica.database, replica.runner, replica.catalogue, {
            pollMs: 20,
            onOutcome: (_, outcome) => {
              if (outcome === 'continued') continued++;
              if (wasRestarted || continued < USERS / 8) return;
              wasRestarted = true;
              restarted = restart(server, mode);
            },
          }),
      );
      for (const worker of workers) worker.start();
      while (!wasRestarted) await new Promise(setImmediate);
      await restarted;
      while (await areLeft(fixture.dataSource)) await endLeases(fixture.dataSource);
      await Promise.all(workers.map((worker) => worker.stop()));
      const rows = await fixture.dataSource.query(
        `SELECT s.state, s.revision, json_agg(e.event ORDER BY e.revision) AS events FROM flow_states s
         JOIN flow_events e USING (user_id, flow, version) GROUP BY s.user_id, s.flow, s.version`,
      );
      expect(rows).toHaveLength(USERS);
      for (const { state, revision, events } of rows) {
        expect(revision).toBe(2);
        expect(events.map(({ cause }: { cause: { kind: string } }) => cause.kind)).toEqual([
          'start',
          'continue',
        ]);
        expect(fold(events)).toEqual(state);
      }
      await Promise.all(replicas.map((replica) => replica.dataSource.destroy()));
    } finally {
      await server.remove();
    }
  },
);
