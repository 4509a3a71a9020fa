import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import { createKey, type KeyKind } from '@waymark/domain/environments';
import {
  type Ask,
  type AttackName,
  ATTACKS,
  ELSEWHERE,
  goodputDuring,
  LEAST_GOODPUT,
  readMetric,
  SIEGE_SETTINGS,
  untilAtRest,
  startAttack,
  UNREADING,
} from '../attacks/index.js';
import { createTestDatabase, type TestDatabase } from '../postgres/index.js';
import { type SpawnedService, spawnService, until } from '../services/index.js';
import { Stage } from '../stage/index.js';

export interface AttackedService {
  readonly name: 'users-api' | 'blocks-api';
  readonly kind: KeyKind;
  /** Attacks that are not run against this service, as they are the same for the other one. */
  readonly except?: readonly AttackName[];
  /** What is there to be asked for; the first version of each. */
  readonly flows?: readonly FlowDefinition[];
  /** An honest request of its clients, and the status that they want. */
  readonly request: { readonly path: string; readonly init?: RequestInit; readonly status: number };
}

/** Few, so that the attack of a moment takes them all where they are not given back. */
const SLOTS = '32';
/** A replica in a small container: what grows without end comes to its end. */
const HEAP_MB = 384;
/** All that a process may hold besides: its code, bodies and answers up to their limits, and what the allocator keeps. */
const MOST_BYTES = 900_000_000;

/** How long to wait for the effect of an attack, or for its end: many times as long as it takes. */
const SEEN_MS = 240_000;

/** R13: a replica of the built service under each attack in turn, with a key of the kind that the service takes. */
export function describeAttacks({ name, kind, except = [], flows = [], request }: AttackedService): void {
  describe(`a replica of ${name} that is attacked`, () => {
    let database: TestDatabase;
    let service: SpawnedService;
    let key: string;

    beforeAll(async () => {
      database = await createTestDatabase();
      const stage = await Stage.open({ database });
      for (const flow of flows) await stage.commit(flow);
      ({ key } = await createKey(stage.dataSource, { environment: 'development', kind }, { by: 'test' }));
      const settings = {
        ...SIEGE_SETTINGS,
        MAX_RUNNING_REQUESTS: SLOTS,
        READ_TIMEOUT_MS: '3000',
        LOG_LEVEL: 'info',
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      };
      service = await spawnService(name, { DATABASE_URL: database.url, ...settings });
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
    });

    const ask: Ask = async (signal) => {
      const { path, init, status } = request;
      const headers = { ...ELSEWHERE, 'x-api-key': key, 'content-type': 'application/json' };
      const answer = await fetch(service.url + path, { ...init, headers, signal });
      await answer.arrayBuffer();
      return answer.status === status;
    };
    const isServed = () => ask(AbortSignal.timeout(10_000)).catch(() => false);

    test.each((Object.keys(ATTACKS) as AttackName[]).filter((attack) => !except.includes(attack)))(
      'serves honest clients during "%s", and is as before afterwards (R13)',
      async (attack) => {
        await until(isServed);
        expect(await goodputDuring(attack, { url: service.url, key }, ask)).toBeGreaterThanOrEqual(LEAST_GOODPUT);
        expect(service.process.exitCode).toBe(null);
        await untilAtRest(service);
        await until(isServed);
        expect(await readMetric(service, 'process_resident_memory_bytes')).toBeLessThan(MOST_BYTES);
      },
    );

    /** Attacks for as long as a test looks, whatever it finds. */
    const during = async (attack: AttackName, look: (isOver: () => boolean) => Promise<void>): Promise<void> => {
      await until(isServed);
      const stop = await startAttack(attack, { url: service.url, key });
      const patience = AbortSignal.timeout(SEEN_MS);
      await look(() => patience.aborted).finally(stop);
    };
    const slowClients = () => readMetric(service, 'waymark_slow_clients');

    test('holds no slot for bodies that never come, while they wait (R13)', () =>
      during('slow-bodies', async (isOver) => {
        let most = 0;
        await until(async () => isOver() || (most = await slowClients()) > 2 * Number(SLOTS));
        expect(most).toBeGreaterThan(2 * Number(SLOTS));
        expect(await readMetric(service, 'waymark_requests_running')).toBeLessThan(Number(SLOTS));
      }));

    test('cuts off clients that never read, while they stay (R13)', () =>
      during('never-read', async (isOver) => {
        const connections = () => readMetric(service, 'waymark_connections');
        await until(async () => isOver() || (await connections()) >= UNREADING);
        // Those who notice that they were cut off come back, each in its time; one or two of the others are honest.
        await until(async () => isOver() || (await connections()) < UNREADING - 2);
        expect(isOver()).toBe(false);
      }));
  });
}
