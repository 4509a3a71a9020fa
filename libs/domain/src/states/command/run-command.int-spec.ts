import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  branch,
  card,
  checklist,
  custom,
  defineFlow,
  modal,
  trigger,
  webhook,
} from '@waymark/testing/builders';
import { startFaultProxy } from '@waymark/testing/fault-proxy';
import { onOneServer } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { createDataSource } from '../../schema/data-source.js';
import { userId } from '../../users/index.js';
import { isLockedOut } from '../../database/errors/database-failure.js';
import { Database } from '../../database/index.js';
import { EffectRow } from '../../outbound/queue/effect-row.js';
import { compile, type FlowDefinition, fold, type TextPart } from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/index.js';
import { DomainError } from '../../database/errors/index.js';
import { flowView } from '../state/flow-json.js';
import { contextNeedOf } from './decide.js';
import { RunCommand } from './run-command.js';

let fixture: Fixture;
let version: number;
let someone = 0;
let user: string;

const twoSteps = defineFlow({
  flow: 'two-steps',
  blocks: {
    hello: modal({ complete: 'again', dismiss: 'finish' }),
    again: card({ complete: 'finish' }),
  },
});
const forPros = defineFlow({
  flow: 'for-pros',
  target: {
    users: 'matching',
    when: 'user.properties.plan == "pro" OR group.properties.plan == "pro"',
  },
  blocks: {
    fork: branch('user.properties.admin', { true: 'for-admins', false: 'for-members' }),
    'for-admins': card(),
    'for-members': card(),
  },
  start: 'fork',
});
const withEffects = defineFlow({
  flow: 'with-effects',
  blocks: {
    told: webhook('led'),
    led: trigger('two-steps', 'start', 'rest'),
    rest: card({ complete: 'told' }),
  },
});

beforeAll(async () => {
  fixture = await Fixture.open();
  version = await fixture.commit(twoSteps);
  await fixture.commit(forPros);
  await fixture.commit(withEffects);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  user = `user-${++someone}`;
  await fixture.identify(user);
});

const expectHistory = async (flow: string, inVersion: number) => {
  const [state, events] = await Promise.all([
    fixture.findState(user, flow, inVersion),
    fixture.loadEvents(user, flow, inVersion),
  ]);
  expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 1));
  expect(state?.revision ?? 0).toBe(events.length);
  if (state) expect(fold(events.map(({ event }) => event))).toEqual(state.state);
};

describe('running a command', () => {
  test('its event tells its transaction, the group, and what it came from (E1, E5)', async () => {
    await fixture.read(`${user}/acme`, 'two-steps');
    await fixture.take(user, 'two-steps', 'latest', 'hello', ['complete'], {});
    await fixture.run(user, 'two-steps', 'latest', { kind: 'stop' }, { byOperator: true });
    await fixture.run(user, 'two-steps', 'latest', { kind: 'reset', force: true }, { chain: 1 });
    const events = await fixture.loadEvents(user, 'two-steps', version);
    expect(events.map(({ groupIdentifier, origin }) => [groupIdentifier, origin])).toEqual([
      ['acme', 'read'],
      [null, 'request'],
      [null, 'operator'],
      [null, 'trigger'],
    ]);
    const places = events.map(({ place }) => BigInt(place));
    expect(places).toEqual([...new Set(places)].sort((a, b) => (a < b ? -1 : 1)));
  });

  test('the first read of a flow starts it, the second finds it started (S8)', async () => {
    const first = await fixture.read(user, 'two-steps');
    expect(flowView(first.flow, first, true)).toMatchObject({
      sid: 'two-steps',
      version,
      state: { started: true, stopped: false, finished: false },
      blocks: [
        { sid: 'two-steps.hello', state: { active: true } },
        { sid: 'two-steps.again', state: { active: false } },
      ],
    });
    expect(await fixture.read(user, 'two-steps')).toMatchObject({ revision: 1, tookEffect: false });
    await expectHistory('two-steps', version);
  });

  test('twenty simultaneous first reads start a flow once (S8, S32)', async () => {
    const other = await fixture.replica();
    const reads = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? fixture : other).read(user, 'two-steps'),
      ),
    );
    expect(reads.filter(({ tookEffect }) => tookEffect)).toHaveLength(1);
    expect(new Set(reads.map(({ revision }) => revision))).toEqual(new Set([1]));
    await expectHistory('two-steps', version);
  });

  test('commands that all take effect are all applied, whatever the crowd (S32)', async () => {
    const other = await fixture.replica();
    const resets = Array.from({ length: 30 }, (_, index) =>
      (index % 2 ? fixture : other).run(user, 'two-steps', 'latest', {
        kind: 'reset',
        force: false,
      }),
    );
    const revisions = (await Promise.all(resets)).map(({ revision }) => revision);
    expect(revisions.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    await expectHistory('two-steps', version);
  });

  onOneServer('there, moves share no statement')(
    'a commit whose answer is lost is announced for each of its states, and none is moved again (L8, R6)',
    async () => {
      const { port } = new URL(fixture.testDatabase.url);
      const proxy = await startFaultProxy({ port: Number(port) });
      const far = createDataSource({
        url: proxy.through(fixture.testDatabase.url),
        poolSize: 1,
        applicationName: 'far',
        statementTimeoutMs: 0,
        connectTimeoutMs: 0,
        answerTimeoutMs: 0,
      });
      await far.initialize();
      const replica = await Fixture.open({
        database: { ...fixture.testDatabase, connect: () => Promise.resolve(far) },
      });
      const crowd = ['a', 'b', 'c'].map((name) => `${user}-${name}`);
      for (const one of crowd) await fixture.identify(one);
      // Somebody else starts the flow for one of them and does not finish yet: the statement of all
      // three waits.
      const other = fixture.dataSource.createQueryRunner();
      await other.startTransaction();
      await other.query(
        `INSERT INTO flow_states (user_id, flow, version, revision, edition, state) VALUES ($1, 'two-steps', $2, 1, 1, '{}')`,
        [userId(fixture.environmentId, crowd[1]!), version],
      );
      const starts = crowd.map((one) => replica.read(one, 'two-steps'));
      const failures = Promise.allSettled(starts);
      await until(async () => {
        const waiting = await fixture.dataSource.query<unknown[]>(
          "SELECT FROM pg_stat_activity WHERE application_name = 'far' AND wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
      proxy.set({ kind: 'drop-answer', times: 1 });
      await other.rollbackTransaction();
      await other.release();
      for (const failure of await failures)
        expect(failure).toMatchObject({ reason: { code: 'database.unavailable' } });
      const announced = crowd.map((one) => ({
        userId: userId(fixture.environmentId, one),
        flow: 'two-steps',
        version,
        revision: 1,
      }));
      expect(replica.changes.changes).toEqual(announced);
      for (const one of crowd)
        expect(await fixture.loadEvents(one, 'two-steps', version)).toHaveLength(1);
      await far.destroy();
      await proxy.close();
    },
  );

  test('of equal transitions at once exactly one takes effect (R2, S32)', async () => {
    const other = await fixture.replica();
    await fixture.read(user, 'two-steps');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? fixture : other).take(user, 'two-steps', 'latest', 'hello', ['complete']),
      ),
    );
    expect(answers.filter(({ tookEffect }) => tookEffect)).toHaveLength(1);
    await expectHistory('two-steps', version);
  });

  test('an unknown user is refused, and so is one of another environment (B3, R9)', async () => {
    await expect(fixture.read('nobody', 'two-steps')).rejects.toMatchObject({
      code: 'user.unknown',
    });
    expect(await fixture.findState('nobody', 'two-steps', version)).toBeNull();
  });

  test('names are checked whatever the state, and after the user (S13, W9)', async () => {
    await expect(
      fixture.take(user, 'two-steps', 'latest', 'again', ['next']),
    ).rejects.toMatchObject({
      code: 'request.invalid',
      message: expect.stringContaining('"complete", "dismiss"'),
    });
    await expect(
      fixture.take('nobody', 'two-steps', 'latest', 'again', ['next']),
    ).rejects.toMatchObject({ code: 'user.unknown' });
  });

  test('a transition of an inactive block without effect writes nothing and tells nobody (L6, S6)', async () => {
    const before = fixture.changes.unchanged.length;
    const { tookEffect, revision } = await fixture.take(user, 'two-steps', 'latest', 'again', [
      'complete',
    ]);
    expect({ tookEffect, revision }).toEqual({ tookEffect: false, revision: 0 });
    expect(fixture.changes.unchanged.length).toBe(before);
  });

  test('what took effect is announced with its revision (L8)', async () => {
    const before = fixture.changes.changes.length;
    await fixture.read(user, 'two-steps');
    await fixture.take(user, 'two-steps', 'latest', 'hello', ['complete']);
    expect(fixture.changes.changes.slice(before).map(({ revision }) => revision)).toEqual([1, 2]);
  });
});

describe('reading several flows', () => {
  const getAll = () =>
    Promise.all(
      ['for-pros', 'two-steps'].map((flow) =>
        fixture.catalogue.getFlow(flow, 'latest', fixture.environmentId),
      ),
    );
  const actor = () => ({ environmentId: fixture.environmentId, user });

  test('reads each as a read of it alone would, in their order, and starts those that the user qualifies for (B13, S8)', async () => {
    const first = await fixture.runner.readAll(await getAll(), actor());
    expect(first.map((one) => [one?.flow.flow, one?.revision, one?.tookEffect])).toEqual([
      ['for-pros', 0, false],
      ['two-steps', 1, true],
    ]);
    await fixture.identify(user, { plan: 'pro', admin: true });
    const again = await fixture.runner.readAll(await getAll(), actor());
    expect(again.map((one) => [one?.revision, one?.tookEffect])).toEqual([
      [1, true],
      [1, false],
    ]);
    expect(again[0]?.state).toEqual((await fixture.read(user, 'for-pros')).state);
    await expectHistory('for-pros', 1);
    await expectHistory('two-steps', version);
  });

  test('many at once start each flow once, on any replica (B13, S32)', async () => {
    const other = await fixture.replica();
    const flows = await getAll();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? fixture : other).runner.readAll(flows, actor()),
      ),
    );
    expect(all.filter(([, twoSteps]) => twoSteps?.tookEffect)).toHaveLength(1);
    await expectHistory('two-steps', version);
  });

  test('an unknown user is refused, even where no flow is asked for (B3)', async () => {
    const nobody = { environmentId: fixture.environmentId, user: 'nobody' };
    await expect(fixture.runner.readAll([], nobody)).rejects.toMatchObject({
      code: 'user.unknown',
    });
    await expect(fixture.runner.readAll(await getAll(), nobody)).rejects.toMatchObject({
      code: 'user.unknown',
    });
    expect(await fixture.runner.readAll([], actor())).toEqual([]);
  });
});

/** PostgreSQL tells of a lock only after it waited for it. */
const LOCK_WAIT_MS = 200;

/** Loses the answer of every write after its commit. */
class LosingDatabase extends Database {
  cause = new Error('Query read timeout') as { code?: string; message: string };

  override run: Database['run'] = async (statement, values) => {
    const rows = await super.run<never>(statement, values);
    return /^(insert|update)_flow_state/.test(statement.name) ? this.lose() : rows;
  };

  /** Moves are written so where tables are distributed. */
  override transaction: Database['transaction'] = async (work) => {
    await super.transaction(work);
    return this.lose();
  };

  private async lose(): Promise<never> {
    if (isLockedOut(this.cause)) await pause(LOCK_WAIT_MS);
    throw new DomainError('database.unavailable', 'no answer', { cause: this.cause });
  }
}

test('what may have been committed is announced, since nobody would tell of it later (L5, R6)', async () => {
  const before = fixture.changes.changes.length;
  const database = new LosingDatabase(fixture.dataSource);
  const runner = new RunCommand(database, fixture.catalogue, fixture.changes);
  const flow = await fixture.catalogue.getFlow('two-steps', 'latest', fixture.environmentId);
  const actor = { environmentId: fixture.environmentId, user };
  await expect(runner.run(flow, actor, { kind: 'start', force: false })).rejects.toMatchObject({
    code: 'database.unavailable',
  });
  expect(fixture.changes.changes.slice(before)).toMatchObject([{ flow: 'two-steps', revision: 1 }]);
  expect(
    (await fixture.run(user, 'two-steps', 'latest', { kind: 'start', force: false })).tookEffect,
  ).toBe(false);
  for (const cause of [
    { code: '55P03', severity: 'ERROR', message: '' },
    { code: 'ECONNREFUSED', message: '' },
  ]) {
    database.cause = cause;
    await expect(runner.run(flow, actor, { kind: 'reset', force: false })).rejects.toMatchObject({
      cause,
    });
  }
  expect(fixture.changes.changes.slice(before)).toHaveLength(1);
});

test('reads look at properties for texts that show them, and of other flows not at all (Z5, P5)', async () => {
  const blocks = (parts?: TextPart[]) => ({
    hi: custom({ ok: 'finish' }, [
      { sid: 'title', type: 'string', value: 'Hi', ...(parts && { parts }) },
    ]),
  });
  const need = (definition: FlowDefinition, starts: boolean) =>
    contextNeedOf({ kind: 'read', starts }, { compiled: compile(definition) } as ResolvedFlow);
  const plain = defineFlow({ blocks: blocks() });
  const personal = { ...defineFlow({ blocks: blocks([{ path: ['name'] }]) }), format: 2 as const };
  expect([true, false].map((starts) => need(plain, starts))).toEqual(['never', 'never']);
  expect([true, false].map((starts) => need(personal, starts))).toEqual(['always', 'always']);
  expect(contextNeedOf({ kind: 'stop' }, { compiled: compile(personal) } as ResolvedFlow)).toBe(
    'never',
  );
});

describe('targeting and branches', () => {
  test('see the properties of the moment, of the user or of the group of the request (S7, S15)', async () => {
    expect((await fixture.read(user, 'for-pros')).tookEffect).toBe(false);
    await fixture.identify(user, { plan: 'pro', admin: true });
    const pro = await fixture.read(user, 'for-pros');
    expect(flowView(pro.flow, pro, true).blocks).toMatchObject([
      { state: { active: true } },
      { state: { active: false } },
    ]);
    await fixture.identifyGroup('acme', { plan: 'pro' });
    await fixture.identify('member', {});
    expect((await fixture.read('member', 'for-pros')).tookEffect).toBe(false);
    expect((await fixture.read('member/acme', 'for-pros')).tookEffect).toBe(true);
  });

  test('see a group that nobody identified by its identifier alone (B3, S29)', async () => {
    const when =
      'group.identifier == "initech" AND NOT exists(group.createdAt) AND NOT exists(group.properties.plan)';
    await fixture.commit(
      defineFlow({
        flow: 'for-initech',
        target: { users: 'matching', when },
        blocks: { ini: card() },
      }),
    );
    expect((await fixture.read(user, 'for-initech')).tookEffect).toBe(false);
    expect((await fixture.read(`${user}/elsewhere`, 'for-initech')).tookEffect).toBe(false);
    expect((await fixture.read(`${user}/initech`, 'for-initech')).tookEffect).toBe(true);
  });

  test('a user once in stays in, though they no longer qualify (S7)', async () => {
    await fixture.identify(user, { plan: 'pro' });
    await fixture.read(user, 'for-pros');
    await fixture.identify(user, { plan: 'free' });
    expect((await fixture.read(user, 'for-pros')).state.started).toBe(true);
    const reset = await fixture.run(user, 'for-pros', 'latest', { kind: 'reset', force: false });
    expect(reset).toMatchObject({
      tookEffect: true,
      revision: 2,
      state: { started: false, blocks: {} },
    });
    await expectHistory('for-pros', 1);
  });
});

describe('idempotency keys', () => {
  const reset = (idempotencyKey?: string) =>
    fixture.run(user, 'two-steps', 'latest', { kind: 'reset', force: false }, { idempotencyKey });

  test('a key that was accepted takes no effect again and is answered as the first time, whatever the command (B11)', async () => {
    expect((await reset('once')).tookEffect).toBe(true);
    await fixture.take(user, 'two-steps', 'latest', 'hello', ['complete']);
    expect(await reset('once')).toMatchObject({ tookEffect: true, revision: 2 });
    expect(
      await fixture.take(user, 'two-steps', 'latest', 'again', ['complete'], {
        idempotencyKey: 'once',
      }),
    ).toMatchObject({
      tookEffect: true,
      revision: 2,
    });
  });

  test('a key of a command without effect is not remembered (B11)', async () => {
    const again = () =>
      fixture.take(user, 'two-steps', 'latest', 'hello', ['complete'], { idempotencyKey: 'early' });
    expect((await again()).tookEffect).toBe(false);
    await fixture.read(user, 'two-steps');
    expect(await again()).toMatchObject({ tookEffect: true, revision: 2 });
  });

  test('the last 32 accepted commands count, with a key or without (B11)', async () => {
    await reset('first');
    for (let count = 0; count < 31; count++) await reset();
    expect(await reset('first')).toMatchObject({ revision: 32 });
    await reset();
    expect(await reset('first')).toMatchObject({ revision: 34 });
  });

  test('a key is used once, however many ask at once (B11)', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => reset('crowd')));
    expect(answers.map(({ tookEffect, revision }) => ({ tookEffect, revision }))).toEqual(
      Array.from({ length: 20 }, () => ({ tookEffect: true, revision: 1 })),
    );
  });
});

describe('versions', () => {
  const one = defineFlow({ flow: 'moving', blocks: { a: card({ complete: 'b' }), b: card() } });
  const two = defineFlow({
    flow: 'moving',
    blocks: { a: card({ complete: 'c' }), c: checklist(['c1', 'c2']) },
  });

  test('the first command in a newer version migrates first, as an event of its own (S28)', async () => {
    await fixture.commit(one);
    await fixture.read(user, 'moving');
    await fixture.commit(two);
    const { revision, tookEffect } = await fixture.take(user, 'moving', 'latest', 'a', [
      'complete',
    ]);
    expect({ revision, tookEffect }).toEqual({ revision: 2, tookEffect: true });
    const events = await fixture.loadEvents(user, 'moving', 2);
    expect(events.map(({ event }) => event.cause.kind)).toEqual(['migrated', 'transition']);
    await expectHistory('moving', 2);
    expect((await fixture.read(user, 'moving', 1)).state.blocks).toEqual({
      'u-a': { active: true, entered: true },
    });
  });

  test('two simultaneous first reads of a newer version migrate once (S28, S32)', async () => {
    const other = await fixture.replica();
    await fixture.read(user, 'moving', 1);
    const reads = await Promise.all([
      fixture.read(user, 'moving', 2),
      other.read(user, 'moving', 2),
      fixture.read(user, 'moving', 2),
    ]);
    expect(reads.map(({ revision }) => revision)).toEqual([1, 1, 1]);
    expect(await fixture.loadEvents(user, 'moving', 2)).toHaveLength(1);
  });

  test('keys do not migrate (B11)', async () => {
    await fixture.run(user, 'moving', 1, { kind: 'start', force: false }, { idempotencyKey: 'k' });
    await fixture.read(user, 'moving', 2);
    const reset = await fixture.run(
      user,
      'moving',
      2,
      { kind: 'reset', force: false },
      { idempotencyKey: 'k' },
    );
    expect(reset.revision).toBe(2);
  });

  test('state of version 0 lives on through an edit, which writes its own event first (S27)', async () => {
    const draft = (target: string) =>
      defineFlow({
        flow: 'draft',
        blocks: { d1: card({ complete: target }), [target]: custom({ on: 'finish' }) },
      });
    await fixture.apply(draft('d2'));
    await fixture.read(user, 'draft', 0);
    await fixture.take(user, 'draft', 0, 'd1', ['complete']);
    await fixture.apply(draft('d3'));
    const { tookEffect, state } = await fixture.read(user, 'draft', 0);
    expect(tookEffect).toBe(true);
    expect(Object.keys(state.blocks)).toEqual(['u-d1']);
    expect((await fixture.loadEvents(user, 'draft', 0)).at(-1)?.event.cause).toEqual({
      kind: 'edited',
    });
    await expectHistory('draft', 0);
  });

  test('a replica that has not seen an edit yet looks again before it touches a state written under it (S27)', async () => {
    const late = await fixture.replica();
    const draft = (name: string) =>
      defineFlow({ flow: 'late', blocks: { l1: card({ complete: name }), [name]: card() } });
    await fixture.apply(draft('l2'));
    await late.read(user, 'late', 0);
    await fixture.apply(draft('l3'));
    await fixture.take(user, 'late', 0, 'l1', ['complete']);
    const { flow, revision } = await late.read(user, 'late', 0);
    expect(flow.compiled.byIdentifier.has('l3')).toBe(true);
    expect(revision).toBe(2);
  });
});

describe('effects', () => {
  test('are written in the commit of their event, in order (S19)', async () => {
    await fixture.identifyGroup(`group-of-${user}`);
    await fixture.run(
      `${user}/group-of-${user}`,
      'with-effects',
      'latest',
      { kind: 'start', force: false },
      { chain: 3 },
    );
    const rows = await fixture.dataSource
      .getRepository(EffectRow)
      .find({ where: { flow: 'with-effects' }, order: { position: 'ASC' } });
    expect(rows).toMatchObject([
      {
        revision: 1,
        position: 0,
        effect: { kind: 'webhook' },
        groupIdentifier: `group-of-${user}`,
        chain: 3,
        attempts: 0,
      },
      { revision: 1, position: 1, effect: { kind: 'flow-trigger', flow: 'two-steps' } },
    ]);
    await expectHistory('with-effects', 1);
  });
});
