import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, checklist, custom, defineFlow, gate, modal, tour } from '@waymark/testing/builders';
import { referenceStep } from '@waymark/testing/reference';
import { Fixture } from '@waymark/testing/fixture';
import { type Command, EMPTY_STATE, type FlowState, fold } from '../../engine/index.js';
import type { CommandOrRead } from './advance.js';
import type { CommandResult } from './run-command.js';

const CLIENTS = 50;
const USERS = 20;
const COMMANDS_OF_EACH = 12;

const flow = defineFlow({
  flow: 'crowded',
  blocks: {
    hello: modal({ complete: ['list', 'walk'], dismiss: 'again' }),
    list: checklist(['i1', 'i2', 'i3'], { complete: 'both', dismiss: 'again' }),
    walk: tour(['t1', 't2'], { complete: 'both', dismiss: 'both' }),
    both: gate('again'),
    again: custom({ back: 'hello', stay: 'again', 'on,off': 'last' }),
    last: card({ complete: 'hello' }),
  },
});

let replicas: Fixture[];
beforeAll(async () => {
  const fixture = await Fixture.open();
  await fixture.commit(flow);
  replicas = [fixture, await fixture.replica()];
});
afterAll(() => replicas[0]!.close());

/** The same sequence on every run. */
function sequence(seed: number): () => number {
  let value = seed;
  return () => (value = (value * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function anyCommand(random: () => number): CommandOrRead {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  if (random() < 0.25)
    return pick<CommandOrRead>([
      { kind: 'read', starts: true },
      { kind: 'read', starts: false },
      { kind: 'reset', force: false },
      { kind: 'start', force: true },
      { kind: 'finish' },
    ]);
  const [block, names] = pick([
    ['u-hello', ['complete', 'dismiss']],
    ['u-list', ['dismiss']],
    ['u-i1', ['complete']],
    ['u-i2', ['skip']],
    ['u-i3', ['complete']],
    ['u-t1', ['next']],
    ['u-t2', ['next', 'previous']],
    ['u-again', ['back', 'stay', 'on']],
    ['u-last', ['complete']],
  ] as const);
  return { kind: 'transition', block, names: [pick<string>(names)] };
}

/** One call of a client and its answer; times are numbers that only grow. */
interface Call {
  readonly id: string;
  readonly user: string;
  readonly asked: CommandOrRead;
  readonly began: number;
  readonly ended: number;
  readonly answer: CommandResult;
}

/**
 * What clients saw who sent one command after the other, each to any replica, all at the same time.
 */
async function record(users: readonly string[]): Promise<Call[]> {
  const calls: Call[] = [];
  let clock = 0;
  const work = async (client: number) => {
    const random = sequence(20_261_121 + client);
    for (let turn = 0; turn < COMMANDS_OF_EACH; turn++) {
      const user = users[Math.floor(random() * users.length)]!;
      const replica = replicas[random() < 0.5 ? 0 : 1]!;
      const asked = anyCommand(random);
      const id = `${client}-${turn}`;
      const began = clock++;
      const answer = await replica.run(user, 'crowded', 1, asked, { idempotencyKey: id });
      calls.push({ id, user, asked, began, ended: clock++, answer });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
  return calls;
}

/** What the rules say, by the reference and not by the engine. */
function outcomeOf(state: FlowState, asked: CommandOrRead, user: string) {
  const isUntouched = !state.started && !state.stopped && !state.finished;
  if (asked.kind === 'read' && !(asked.starts && isUntouched)) return { state, tookEffect: false };
  const command: Command = asked.kind === 'read' ? { kind: 'start', force: false } : asked;
  const subject = { identifier: user, properties: {}, createdAt: 0, updatedAt: 0 };
  return referenceStep(flow, state, command, { now: 0, user: subject, group: null });
}

test(`calls of ${CLIENTS} clients on ${USERS} states over two replicas come in one order for each state, which is that of the reference and of the clock (R2, R11, S32)`, async () => {
  const [fixture] = replicas as [Fixture];
  const users = Array.from({ length: USERS }, (_, index) => `crowd-${index}`);
  for (const user of users) await fixture.identify(user);
  const calls = await record(users);
  for (const user of users) {
    const own = calls.filter((call) => call.user === user);
    const events = await fixture.loadEvents(user, 'crowded', 1);
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 1));
    const states: FlowState[] = [EMPTY_STATE];
    for (const { idempotencyKey } of events) {
      const { asked } = own.find(({ id }) => id === idempotencyKey)!;
      const { state, tookEffect } = outcomeOf(states.at(-1)!, asked, user);
      expect(tookEffect).toBe(true);
      states.push(state);
    }
    expect(fold(events.map(({ event }) => event))).toEqual(states.at(-1));
    expect((await fixture.findState(user, 'crowded', 1))?.state ?? EMPTY_STATE).toEqual(
      states.at(-1),
    );
    for (const { id, asked, began, answer } of own) {
      const { revision, tookEffect, state } = answer;
      expect(state).toEqual(states[revision]);
      if (tookEffect) expect(events[revision - 1]!.idempotencyKey).toBe(id);
      else expect(outcomeOf(state, asked, user).tookEffect).toBe(false);
      const before = own.filter(({ ended }) => ended < began).map((call) => call.answer.revision);
      const seen = Math.max(0, ...before);
      expect(revision).toBeGreaterThanOrEqual(tookEffect ? seen + 1 : seen);
    }
    expect(own.filter(({ answer }) => answer.tookEffect)).toHaveLength(events.length);
  }
});
