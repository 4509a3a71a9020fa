import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { card, defineFlow, trigger, webhook } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { QueryResultRow } from 'pg';
import { Webhook } from 'standardwebhooks';
import { Database, type Statement } from '../database/index.js';
import { rotateWebhookSecret } from '../access/index.js';
import { pinFlow, setReleases } from '../flows/index.js';
import { EffectQueue } from './queue/effect-queue.js';
import {
  EffectWorker,
  type EffectOutcome,
  listEffects,
  retryEffect,
  type EffectWorkerSettings,
} from './index.js';

interface Delivery {
  headers: IncomingMessage['headers'];
  body: string;
}

/** A real receiver; answers as configured, else 204. */
class Receiver {
  readonly deliveries: Delivery[] = [];
  readonly answers: number[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        this.deliveries.push({ headers: request.headers, body });
        const status = this.answers.shift() ?? 204;
        response
          .writeHead(status, status === 302 ? { location: `${this.url}elsewhere` } : {})
          .end();
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async open(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

let fixture: Fixture;
let receiver: Receiver;
let worker: EffectWorker;
let outcomes: { outcome: EffectOutcome; error: string | undefined; kind: string }[];
let troubles: unknown[];
let told: (() => void) | undefined;
let user: string;
let count = 0;

beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await new Receiver().open();
  outcomes = [];
  troubles = [];
  user = `user-${++count}`;
  await fixture.identify(user);
});
afterEach(async () => {
  await worker?.stop();
  receiver.close();
  await fixture.dataSource.query('DELETE FROM effects');
});

type Settings = Partial<Pick<EffectWorkerSettings, 'sendUncommitted'>> & {
  readonly sending?: Partial<EffectWorkerSettings['sending']>;
};
const work = (
  { sending, ...settings }: Settings = {},
  on: Pick<Fixture, 'database' | 'runner' | 'catalogue'> = fixture,
) => {
  worker = new EffectWorker(on.database, on.runner, on.catalogue, {
    sending: { allowPrivateAddresses: true, timeoutMs: 300_000, ...sending },
    sendUncommitted: false,
    concurrency: 4,
    pollMs: 20,
    onOutcome: ({ effect }, outcome, failure) => {
      outcomes.push({ outcome, error: failure?.error, kind: effect.kind });
      told?.();
    },
    onTrouble: (error) => {
      troubles.push(error);
      told?.();
    },
    ...settings,
  });
  worker.start();
};
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise<void>((resolve) => (told = resolve));
};
const outcomesAre = async (number: number) => {
  await until(() => outcomes.length >= number);
  return outcomes;
};
/** A flow whose start sends a webhook, and so does every completed card. */
const telling = (name: string, request: Parameters<typeof webhook>[1] = {}) =>
  defineFlow({
    flow: name,
    blocks: {
      [`${name}-hook`]: webhook(`${name}-card`, { url: receiver.url, ...request }),
      [`${name}-card`]: card({ complete: `${name}-hook` }),
    },
  });
const start = (flow: string, version: number | 'latest' = 'latest') =>
  fixture.run(user, flow, version, { kind: 'start', force: true });
const makeDue = () => fixture.dataSource.query('UPDATE effects SET next_attempt_at = now()');

describe('a webhook', () => {
  test('is sent with its tokens filled in and escaped, a stable id and the time (S19)', async () => {
    user = `"quoted" é ${count}`;
    await fixture.identify(user);
    await fixture.commit(
      telling('tokens', {
        headers: { 'X-User': 'of ${user.identifier}' },
        body: {
          flow: '${flow.identifier}/${flow.name}@${flow.version}',
          list: ['${user.identifier}', 1, null],
          at: '${timestamp}',
        },
      }),
    );
    await start('tokens');
    work();
    await outcomesAre(1);
    const [{ headers, body }] = receiver.deliveries as [Delivery];
    expect(JSON.parse(body)).toEqual({
      flow: 'tokens/tokens@1',
      list: [user, 1, null],
      at: (await fixture.loadEvents(user, 'tokens', 1))[0]?.at.toISOString(),
    });
    expect(headers).toMatchObject({
      'x-user': `of \\"quoted\\" \\u00e9 ${count}`,
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    expect(await listEffects(fixture.dataSource.manager, fixture.environmentId)).toEqual([]);
  });

  test('is signed with the secret of the environment, and with the old one too while it is rotated (E9)', async () => {
    await fixture.commit(
      telling('signed', {
        headers: { 'Webhook-Signature': 'v1,forged' },
        body: { é: '${user.identifier}' },
      }),
    );
    await fixture.commit(telling('signed-empty'));
    const rotate = () =>
      rotateWebhookSecret(fixture.dataSource, fixture.environmentId, { by: 'test' });
    const old = await rotate();
    const secret = await rotate();
    await start('signed');
    await start('signed-empty');
    work();
    await outcomesAre(2);
    const verified = receiver.deliveries.map(({ headers, body }) =>
      [old, secret].map((known) =>
        new Webhook(known).verify(body, headers as Record<string, string>),
      ),
    );
    expect(verified).toEqual(
      expect.arrayContaining([Array(2).fill({ é: user }), Array(2).fill(undefined)]),
    );
    const [{ headers, body }] = receiver.deliveries as [Delivery];
    expect(() => new Webhook('whsec_AAAA').verify(body, headers as Record<string, string>)).toThrow(
      'No matching signature',
    );
    expect(receiver.deliveries.map(({ headers }) => headers['webhook-signature'])).toEqual(
      Array(2).fill(expect.stringMatching(/^v1,\S{44} v1,\S{44}$/)),
    );
  });

  test.each([500, 404, 302])(
    'answered with %i is sent again later with the same id (S19)',
    async (status) => {
      await fixture.commit(telling(`again-${status}`));
      receiver.answers.push(status);
      await start(`again-${status}`);
      work();
      expect(await outcomesAre(1)).toMatchObject([
        { outcome: 'postponed', error: expect.stringContaining(`answered ${status}`) },
      ]);
      const [waiting] = await listEffects(fixture.dataSource.manager, fixture.environmentId);
      expect(waiting).toMatchObject({
        attempts: 1,
        failedAt: null,
        lastError: expect.stringContaining(`${status}`),
      });
      await makeDue();
      await outcomesAre(2);
      expect(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).toEqual([
        waiting?.id,
        waiting?.id,
      ]);
    },
  );

  test('that never succeeds fails in the end, is listed, and can be tried again (S19)', async () => {
    await fixture.commit(telling('hopeless'));
    receiver.answers.push(500);
    await start('hopeless');
    await fixture.dataSource.query('UPDATE effects SET attempts = 12');
    work();
    expect(await outcomesAre(1)).toMatchObject([{ outcome: 'failed' }]);
    const [failed] = await listEffects(fixture.dataSource.manager, fixture.environmentId);
    expect(failed).toMatchObject({
      nextAttemptAt: null,
      failedAt: expect.any(Date),
      lastError: 'answered 500',
    });
    await retryEffect(fixture.dataSource, fixture.environmentId, failed!.id, { by: 'test' });
    expect((await outcomesAre(2))[1]).toMatchObject({ outcome: 'done' });
    await expect(
      retryEffect(fixture.dataSource, fixture.environmentId, failed!.id, { by: 'test' }),
    ).rejects.toMatchObject({
      code: 'effect.unknown',
    });
  });

  test('is not sent to private addresses, neither written nor resolved, unless configured (S19)', async () => {
    await fixture.commit(telling('private'));
    await fixture.commit(
      telling('resolved', { url: receiver.url.replace('127.0.0.1', 'localhost') }),
    );
    await start('private');
    await start('resolved');
    work({ sending: { allowPrivateAddresses: false } });
    const found = (await outcomesAre(2)).map(({ outcome, error }) => `${outcome}: ${error}`).sort();
    expect(found).toEqual([
      expect.stringMatching(/^failed: 127.0.0.1 is a private/),
      expect.stringMatching(/^postponed: localhost is a private/),
    ]);
    expect(receiver.deliveries).toEqual([]);
  });

  test('of version 0 is not sent unless configured (S19)', async () => {
    await fixture.apply(telling('uncommitted'));
    await start('uncommitted', 0);
    work();
    expect(await outcomesAre(1)).toMatchObject([{ outcome: 'withheld' }]);
    expect(receiver.deliveries).toEqual([]);
    await worker.stop();
    await fixture.run(user, 'uncommitted', 0, { kind: 'reset', force: true });
    work({ sendUncommitted: true });
    await outcomesAre(2);
    expect(receiver.deliveries).toHaveLength(1);
  });

  test('that gets no answer is given up after the timeout (S19)', async () => {
    const silent = createServer(() => undefined);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    await fixture.commit(
      telling('silent', { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` }),
    );
    await start('silent');
    work({ sending: { timeoutMs: 500 } });
    expect(await outcomesAre(1)).toMatchObject([
      { outcome: 'postponed', error: 'no answer within 0.5 s' },
    ]);
    silent.close();
    silent.closeAllConnections();
  });

  test('waits for those before it of the same state, and for no others (S19)', async () => {
    await fixture.commit(telling('in-order', { body: '${timestamp}' }));
    await start('in-order');
    for (let round = 0; round < 3; round++) {
      await pause(2); // Each of the four bodies has a millisecond of its own.
      await fixture.take(user, 'in-order', 'latest', 'in-order-card', ['complete']);
    }
    receiver.answers.push(500);
    work();
    await outcomesAre(1);
    await fixture.identify('passer-by');
    await fixture.run('passer-by', 'in-order', 'latest', { kind: 'start', force: true });
    expect((await outcomesAre(2))[1]).toMatchObject({ outcome: 'done' });
    expect(receiver.deliveries).toHaveLength(2);
    await makeDue();
    await outcomesAre(6);
    const mine = receiver.deliveries.filter((_, index) => index !== 1).map(({ body }) => body);
    expect(mine).toEqual([...mine].sort());
    expect(new Set(mine).size).toBe(4);
  });

  test('is carried out once by two workers (S19)', async () => {
    await fixture.commit(telling('shared'));
    const other = await fixture.replica();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await fixture.identify(`many-${index}`);
        await fixture.run(`many-${index}`, 'shared', 'latest', { kind: 'start', force: true });
      }),
    );
    work({}, other);
    const second = worker;
    work();
    await outcomesAre(20);
    await second.stop();
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
    expect(receiver.deliveries).toHaveLength(20);
  });
});

test('waiting effects are listed oldest first, no more than asked for (S19)', async () => {
  await fixture.commit(telling('listed'));
  await start('listed');
  await fixture.take(user, 'listed', 'latest', 'listed-card', ['complete']);
  const list = (options?: { limit?: number; waitingOnly?: boolean }) =>
    listEffects(fixture.dataSource.manager, fixture.environmentId, options);
  const all = await list();
  expect(all.map(({ createdAt }) => +createdAt)).toEqual(
    all.map(({ createdAt }) => +createdAt).sort(),
  );
  expect([all.length, await list({ limit: 1 })]).toEqual([2, all.slice(0, 1)]);
  await fixture.dataSource.query('UPDATE effects SET failed_at = now() WHERE id = $1', [
    all[0]!.id,
  ]);
  expect([(await list()).length, await list({ waitingOnly: true })]).toEqual([2, all.slice(1)]);
});

test('an effect whose worker died is carried out by another once the lease is over (S19)', async () => {
  await fixture.commit(telling('orphaned'));
  await start('orphaned');
  const queue = new EffectQueue(fixture.database);
  const [held] = (await queue.claim(4)).effects;
  expect((await queue.claim(4)).effects).toEqual([]);
  await makeDue();
  work();
  expect(await outcomesAre(1)).toMatchObject([{ outcome: 'done' }]);
  expect(receiver.deliveries[0]?.headers['webhook-id']).toBe(held?.id);
});

describe('a host that accepts and never answers', () => {
  let silent: Server;
  let asked: number;

  beforeEach(async () => {
    asked = 0;
    silent = createServer(() => {
      asked++;
      told?.();
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    silent.close();
    silent.closeAllConnections();
  });

  /** Webhooks of six users, two more than a queue has slots, and as many as that under way. */
  const hang = async (flow: string) => {
    await fixture.commit(
      telling(flow, { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` }),
    );
    const users = Array.from({ length: 6 }, (_, index) => `${flow}-${index}`);
    await fixture.identifyAll(users, () => ({}));
    for (const each of users)
      await fixture.run(each, flow, 'latest', { kind: 'start', force: true });
    work();
    await until(() => asked === 4);
  };

  test('holds up neither webhooks to others nor triggers (S19)', async () => {
    await hang('hanging');
    await fixture.commit(defineFlow({ flow: 'beside', blocks: { by: card() } }));
    await fixture.commit(
      defineFlow({ flow: 'leading', blocks: { ld: trigger('beside', 'start', 'le'), le: card() } }),
    );
    await fixture.commit(telling('answered'));
    await start('leading');
    await start('answered');
    expect((await outcomesAre(2)).map(({ kind, outcome }) => `${kind} ${outcome}`).sort()).toEqual([
      'flow-trigger done',
      'webhook done',
    ]);
    expect(asked).toBe(4);
    await worker.stop(0);
  });

  test('is let go of at the end, which is no failure (S19)', async () => {
    await hang('let-go');
    await worker.stop(0);
    expect(new Set(outcomes.map(({ outcome, error }) => `${outcome} ${error}`))).toEqual(
      new Set(['released undefined']),
    );
    expect(
      await fixture.dataSource.query(
        'SELECT attempts, last_error, next_attempt_at <= now() AS due, count(*)::int FROM effects GROUP BY 1, 2, 3',
      ),
    ).toEqual([{ attempts: 0, last_error: null, due: true, count: 6 }]);
  });
});

test('a host that does not answer gets one webhook at a time until it answers (S19)', async () => {
  const arrived: number[] = [];
  const open = new Set<Socket>();
  const mute = createTcpServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.once('data', () => {
      arrived.push(open.size);
      told?.();
    });
  });
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  await fixture.commit(
    telling('mute', { url: `http://127.0.0.1:${(mute.address() as AddressInfo).port}/` }),
  );
  const users = Array.from({ length: 7 }, (_, index) => `mute-${index}`);
  await fixture.identifyAll(users, () => ({}));
  for (const each of users)
    await fixture.run(each, 'mute', 'latest', { kind: 'start', force: true });
  work();
  await until(() => arrived.length === 4);
  const hangUp = async () => {
    const ended = outcomes.length + open.size;
    for (const socket of open) socket.destroy();
    await outcomesAre(ended);
  };
  await hangUp();
  for (const each of [5, 6, 7]) {
    await until(() => arrived.length === each);
    await hangUp();
  }
  expect(arrived.slice(4)).toEqual([1, 1, 1]);
  mute.close();
});

test('trouble with the database is told, of claims and of reports, and everything is carried out after it (R3, S19)', async () => {
  // Of one server and of distributed tables.
  const failing = new Set(['claim_effects', 'find_due_effects']);
  class Troubled extends Database {
    override run<Row extends QueryResultRow>(
      statement: Statement,
      values: readonly unknown[],
    ): Promise<Row[]> {
      return failing.has(statement.name)
        ? Promise.reject(new Error(statement.name))
        : super.run(statement, values);
    }
  }
  await fixture.commit(telling('troubled'));
  await start('troubled');
  work(
    {},
    {
      database: new Troubled(fixture.dataSource),
      runner: fixture.runner,
      catalogue: fixture.catalogue,
    },
  );
  await until(() => troubles.length >= 2);
  expect(troubles[1]).toMatchObject({
    message: expect.stringMatching(/^(claim|find_due)_effects$/),
  });
  failing.clear();
  failing.add('finish_effect');
  await until(() => troubles.some((error) => (error as Error).message === 'finish_effect'));
  expect(outcomes).toEqual([]);
  failing.clear();
  await makeDue();
  expect(await outcomesAre(1)).toMatchObject([{ outcome: 'done' }]);
});

describe('a flow trigger', () => {
  const led = (
    name: string,
    to: string,
    intent: 'start' | 'reset' | 'stop' | 'finish' = 'start',
    version: number | 'latest' = 'latest',
  ) =>
    defineFlow({
      flow: name,
      blocks: {
        [`${name}-lead`]: trigger(to, intent, `${name}-end`, version),
        [`${name}-end`]: card(),
      },
    });

  test('starts the other flow whatever its targeting, once, however often it is carried out (S19, B11)', async () => {
    await fixture.commit(
      defineFlow({ flow: 'vip', target: { users: 'api-only' }, blocks: { v: card() } }),
    );
    await fixture.commit(led('leads', 'vip', 'reset'));
    await start('leads');
    const [row] = (await fixture.dataSource.query('SELECT * FROM effects')) as Record<
      string,
      unknown
    >[];
    work();
    await outcomesAre(1);
    expect(await fixture.findState(user, 'vip', 1)).toMatchObject({
      revision: 1,
      recentKeys: [row?.['id']],
      state: { started: true },
    });
    await fixture.dataSource.query(
      `INSERT INTO effects (user_id, flow, version, revision, position, id, effect) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      ['user_id', 'flow', 'version', 'revision', 'position', 'id', 'effect'].map(
        (column) => row?.[column],
      ),
    );
    await outcomesAre(2);
    expect(await fixture.findState(user, 'vip', 1)).toMatchObject({ revision: 1 });
  });

  test('passes the group of the request on (S19)', async () => {
    const when = 'group.properties.plan == "pro"';
    await fixture.commit(
      defineFlow({
        flow: 'for-groups',
        target: { users: 'matching', when },
        blocks: { fg: webhook() },
      }),
    );
    await fixture.commit(led('to-groups', 'for-groups'));
    await fixture.run(`${user}/acme`, 'to-groups', 'latest', { kind: 'start', force: false });
    await fixture.dataSource.query(
      "UPDATE effects SET next_attempt_at = now() + interval '1 hour' WHERE effect->>'kind' = 'webhook'",
    );
    work();
    await outcomesAre(1);
    expect(
      await fixture.dataSource.query(
        "SELECT group_identifier, chain FROM effects WHERE effect->>'kind' = 'webhook'",
      ),
    ).toEqual([{ group_identifier: 'acme', chain: 1 }]);
  });

  test.each([
    {
      what: 'an unknown flow',
      to: 'nowhere',
      version: 'latest' as const,
      error: 'there is no flow "nowhere"',
    },
    {
      what: 'an unknown version',
      to: 'vip',
      version: 77,
      error: 'flow vip has no such version: its newest is 1',
    },
  ])('of $what is recorded as failed (S19)', async ({ to, version, error }) => {
    await fixture.commit(led(`lost-${version}`, to, 'start', version));
    await start(`lost-${version}`);
    work();
    expect(await outcomesAre(1)).toMatchObject([
      { outcome: 'failed', error, kind: 'flow-trigger' },
    ]);
  });

  test('of a flow that is not released yet is tried again, and carried out once it is (Z10, S19)', async () => {
    const { dataSource, environmentId } = fixture;
    const author = { by: 'test' };
    await fixture.commit(led('leads-later', 'later'));
    await setReleases(dataSource, 'development', true, author);
    await fixture.commit(defineFlow({ flow: 'later', blocks: { lt: card() } }));
    await start('leads-later');
    work();
    expect(await outcomesAre(1)).toMatchObject([
      {
        outcome: 'postponed',
        error: 'no version of flow later is released in this environment yet',
      },
    ]);
    await pinFlow(dataSource, environmentId, 'later', 1, author);
    await fixture.catalogue.refresh();
    await makeDue();
    expect((await outcomesAre(2)).at(-1)).toMatchObject({ outcome: 'done' });
    expect(await fixture.findState(user, 'later', 1)).toMatchObject({ state: { started: true } });
    await setReleases(dataSource, 'development', false, author);
    await fixture.catalogue.refresh();
  });

  test('chains end after 25 links; the 26th is recorded as failed (S19)', async () => {
    await fixture.commit(led('echo', 'echo', 'reset'));
    await start('echo');
    work();
    const all = await outcomesAre(26);
    expect(all.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 25 }, () => 'done'),
      'failed',
    ]);
    expect((await fixture.findState(user, 'echo', 1))?.revision).toBe(26);
  });

  test('waits for no webhook before it of the same state, tried or not (S19)', async () => {
    await fixture.commit(
      defineFlow({ flow: 'afterwards', target: { users: 'api-only' }, blocks: { aw: card() } }),
    );
    await fixture.commit(
      defineFlow({
        flow: 'both',
        blocks: {
          b1: webhook('b2', { url: receiver.url }),
          b2: webhook('b3', { url: receiver.url }),
          b3: trigger('afterwards', 'start', 'b4'),
          b4: card(),
        },
      }),
    );
    await start('both');
    const queue = new EffectQueue(fixture.database);
    const { effects } = await queue.claim(4);
    expect(effects.map(({ effect, position }) => `${effect.kind} ${position}`)).toEqual([
      'webhook 0',
      'flow-trigger 2',
    ]);
  });

  test('and a webhook to another receiver wait for none of the same state that are down (S19)', async () => {
    await fixture.commit(
      defineFlow({ flow: 'next-door', target: { users: 'api-only' }, blocks: { nd: card() } }),
    );
    await fixture.commit(
      defineFlow({
        flow: 'mixed',
        blocks: {
          m1: webhook('m2', { url: 'http://127.0.0.1:9/' }),
          m2: webhook('m3', { url: 'http://127.0.0.1:9/' }),
          m3: trigger('next-door', 'start', 'm4'),
          m4: webhook('m5', { url: receiver.url }),
          m5: card(),
        },
      }),
    );
    await start('mixed');
    work();
    const found = await outcomesAre(3);
    expect(found.map(({ kind, outcome }) => `${kind} ${outcome}`).sort()).toEqual([
      'flow-trigger done',
      'webhook done',
      'webhook postponed',
    ]);
  });
});
