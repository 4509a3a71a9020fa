import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { type SpawnedService, spawnService } from '@waymark/testing/services';

/** Far more than the 511 that Node requests where nothing else is said. */
const COMING_AT_ONCE = 1_500;
const PATIENCE_MS = 300_000;

let database: TestDatabase;
let service: SpawnedService;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await spawnService('users-api', { DATABASE_URL: database.url });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

// Elsewhere nothing tells how many the system lets wait.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'connections wait to be accepted while the process is busy, as many as Linux allows (R13)',
  async () => {
    const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
    const { port, hostname } = new URL(service.url);
    const sockets: Socket[] = [];
    let opened = 0;
    service.process.kill('SIGSTOP');
    try {
      for (let number = 0; number < COMING_AT_ONCE; number++) {
        const socket = connect(Number(port), hostname, () => opened++);
        sockets.push(socket.on('error', () => undefined));
      }
      const patience = AbortSignal.timeout(PATIENCE_MS);
      while (opened < Math.min(COMING_AT_ONCE, most) && !patience.aborted) await pause(20);
      expect(opened).toBeGreaterThanOrEqual(Math.min(COMING_AT_ONCE, most));
    } finally {
      service.process.kill('SIGCONT');
      for (const socket of sockets) socket.destroy();
    }
  },
);
