import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, checklist, custom, defineFlow, gate, modal, tour } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import { applyChange, EMPTY_STATE, step } from '../../engine/index.js';
import type { CommandOrRead } from './advance.js';

const USERS = 4;
const COMMANDS = 60;

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

let replicas: Stage[];
beforeAll(async () => {
  const stage = await Stage.open();
  await stage.commit(flow);
  replicas = [stage, await stage.replica()];
});
afterAll(() => replicas[0]!.close());

/** The same sequence on every run. */
function sequence(seed: number): () => number {
  let value = seed;
  return () => (value = (value * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function anyCommand(random: () => number): CommandOrRead {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  if (random() < 0.15)
    return pick<CommandOrRead>([{ kind: 'reset', force: false }, { kind: 'start', force: true }, { kind: 'finish' }]);
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

test('commands of a crowd over two replicas leave one line of events, each made of the state before it (R2, S32)', async () => {
  const [stage] = replicas as [Stage];
  const users = Array.from({ length: USERS }, (_, index) => `crowd-${index}`);
  for (const user of users) await stage.identify(user);
  const random = sequence(20_261_121);
  const answers = await Promise.all(
    Array.from({ length: USERS * COMMANDS }, async (_, index) => {
      const user = users[index % USERS]!;
      const { tookEffect, revision } = await replicas[index % 2]!.run(user, 'crowded', 1, anyCommand(random));
      return { user, tookEffect, revision };
    }),
  );
  const { compiled } = await stage.catalogue.getFlow('crowded', 1);
  for (const user of users) {
    const events = await stage.loadEvents(user, 'crowded', 1);
    const taken = answers.filter((answer) => answer.user === user && answer.tookEffect).map(({ revision }) => revision);
    expect(taken.sort((a, b) => a - b)).toEqual(events.map(({ revision }) => revision));
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 1));
    let state = EMPTY_STATE;
    for (const { event } of events) {
      const { cause } = event;
      if (cause.kind === 'edited' || cause.kind === 'migrated' || cause.kind === 'restored')
        throw new Error('nothing was edited, migrated or restored');
      const context = { now: 0, user: { identifier: user, properties: {}, createdAt: 0, updatedAt: 0 }, group: null };
      // Replayed from the event before, the command gives this very event: nothing slipped in between.
      expect(step(compiled, state, cause, context).event).toEqual(event);
      state = event.changes.reduce(applyChange, state);
    }
    expect((await stage.findState(user, 'crowded', 1))?.state ?? EMPTY_STATE).toEqual(state);
  }
});
