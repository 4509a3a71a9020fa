import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import { createKey, type KeyKind } from '@waymark/domain/access';
import {
  type Ask,
  type AttackName,
  ATTACKS,
  FRAMING_ATTACKS,
  askForAWhile,
  ELSEWHERE,
  goodputDuring,
  LEAST_GOODPUT,
  MOST_LEFT,
  readMetric,
  ATTACKED_SETTINGS,
  untilAtRest,
  startAttack,
  UNREADING,
} from '../attacks/index.js';
import { hasNginx, KEPT_BY_PROXY, type StartedProxy, startProxy } from '../nginx/index.js';
import { createTestDatabase, type TestDatabase } from '../postgres/index.js';
import { type SpawnedService, spawnService, until, untilSoon } from '../services/index.js';
import { Fixture } from '../fixture/index.js';

export interface AttackedService {
  readonly name: 'users-api' | 'blocks-api';
  readonly kind: KeyKind;
  /** Attacks that are not run against this service, as they are the same for the other one. */
  readonly except?: readonly AttackName[];
  /** The flows to request; the first version of each. */
  readonly flows?: readonly FlowDefinition[];
  /** An honest request of its clients, and the status that they want. */
  readonly request: { readonly path: string; readonly init?: RequestInit; readonly status: number };
}

/** Few, so that the attack of a moment takes them all where they are not given back. */
const SLOTS = '32';
/** A replica in a small container: what grows without end comes to its end. */
const HEAP_MB = 384;
/**
 * Everything else that a process may hold: its code, bodies and answers up to their limits, and
 * what the allocator keeps.
 */
const MOST_BYTES = 900_000_000;

/** How long to wait for the effect of an attack, or for its end: many times as long as it takes. */
const SEEN_MS = 240_000;

/**
 * R13: a replica of the built service under each attack in turn, with a key of the kind that the
 * service takes: under attacks on HTTP framing it serves honest clients behind the shipped proxy,
 * and survives without it.
 */
export function describeAttacks({
  name,
  kind,
  except = [],
  flows = [],
  request,
}: AttackedService): void {
  describe(`a replica of ${name} that is attacked`, () => {
    let database: TestDatabase;
    let service: SpawnedService;
    let key: string;
    let proxy: StartedProxy | undefined;

    beforeAll(async () => {
      database = await createTestDatabase();
      const fixture = await Fixture.open({ database });
      for (const flow of flows) await fixture.commit(flow);
      ({ key } = await createKey(
        fixture.dataSource,
        { environment: 'development', kind },
        { by: 'test' },
      ));
      const settings = {
        ...ATTACKED_SETTINGS,
        MAX_RUNNING_REQUESTS: SLOTS,
        READ_TIMEOUT_MS: '3000',
        LOG_LEVEL: 'info',
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      };
      service = await spawnService(name, { DATABASE_URL: database.url, ...settings });
      if (hasNginx) proxy = await startProxy(service.url);
    });
    afterAll(async () => {
      await proxy?.stop();
      await service.stop();
      await database.drop();
    });

    const askOf =
      (url: string): Ask =>
      async (signal) => {
        const { path, init, status } = request;
        const headers = { ...ELSEWHERE, 'x-api-key': key, 'content-type': 'application/json' };
        const answer = await fetch(url + path, { ...init, headers, signal });
        await answer.arrayBuffer();
        return answer.status === status;
      };
    const isServed = () => askOf(service.url)(AbortSignal.timeout(10_000)).catch(() => false);
    const expectServed = async (): Promise<void> => {
      const { process, lines } = service;
      if (process.exitCode !== null || process.signalCode !== null)
        throw new Error(`the replica has ended:\n${lines.slice(-30).join('\n')}`);
      await untilSoon('serving an honest client', isServed);
    };

    /** Nothing is left of the attack, and the process is the same. */
    const expectRecovery = async (): Promise<void> => {
      await expectServed();
      await untilAtRest(service, MOST_LEFT + (proxy ? KEPT_BY_PROXY : 0));
      expect(await readMetric(service, 'process_resident_memory_bytes')).toBeLessThan(MOST_BYTES);
    };
    const attacks = (Object.keys(ATTACKS) as AttackName[]).filter((one) => !except.includes(one));
    const [framing, floods] = [
      attacks.filter((one) => FRAMING_ATTACKS.has(one)),
      attacks.filter((one) => !FRAMING_ATTACKS.has(one)),
    ];

    test.each(floods)(
      'serves honest clients during "%s", and is as before afterwards (R13)',
      async (attack) => {
        await expectServed();
        const target = { url: service.url, key };
        expect(await goodputDuring(attack, target, askOf(service.url))).toBeGreaterThanOrEqual(
          LEAST_GOODPUT,
        );
        await expectRecovery();
      },
    );

    test.each(framing)('survives "%s", and is as before afterwards (R13)', async (attack) => {
      await expectServed();
      const stop = await startAttack(attack, { url: service.url, key });
      await askForAWhile(isServed).finally(stop);
      await expectRecovery();
    });

    (hasNginx ? test.each(framing) : test.skip.each(framing))(
      'serves honest clients behind the shipped proxy during "%s" (R13)',
      async (attack) => {
        const { url } = proxy!;
        await expectServed();
        expect(await goodputDuring(attack, { url, key }, askOf(url))).toBeGreaterThanOrEqual(
          LEAST_GOODPUT,
        );
        await expectRecovery();
      },
    );

    // The rest tests the service kit, so one service is enough; small answers take a minute.
    if (except.length > 0) return;

    /** Attacks for as long as a test looks, whatever it finds. */
    const during = async (
      attack: AttackName,
      look: (isOver: () => boolean) => Promise<void>,
    ): Promise<void> => {
      await expectServed();
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
        // Those who notice that they were cut off come back, each in its time; one or two of the
        // others are honest.
        await until(async () => isOver() || (await connections()) < UNREADING - 2);
        expect(isOver()).toBe(false);
      }));
  });
}
