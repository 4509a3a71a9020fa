import { describe, expect, test } from '@jest/globals';
import {
  card,
  compileFlow,
  delay,
  gate,
  NOW,
  Play,
  someone,
  started,
  uidOf,
  webhook,
} from '@waymark/testing/builders';
import { adaptToEdit, EMPTY_STATE, fold, migrate, restore } from '../../index.js';

const MINUTE = 60_000;
const at = (minutes: number) => ({ ...someone(), now: NOW + minutes * MINUTE });
const goOn = (play: Play, id: string) => play.run({ kind: 'continue', block: uidOf(id) });

const flow = compileFlow({
  blocks: { a: card({ complete: 'wait' }), wait: delay('b', 2 * MINUTE), b: card() },
});
const waits = () => started(flow).take('a', 'complete');

describe('a delay', () => {
  test('waits from when it is entered for its time, and the flow goes on in that time (Z4, S18)', () => {
    const { state, events } = waits();
    expect(state).toMatchObject({
      format: 2,
      finished: false,
      waiting: { 'u-wait': NOW + 2 * MINUTE },
    });
    expect(events.at(-1)).toMatchObject({
      format: 2,
      changes: [
        { kind: 'exited' },
        {},
        { kind: 'waiting', block: 'u-wait', until: NOW + 2 * MINUTE },
      ],
    });
  });

  test('goes on when its time is over and not before; afterwards the state is as any other (Z4)', () => {
    const play = waits();
    goOn(play.as(at(1.99)), 'wait');
    expect(play.tookEffect).toBe(false);
    goOn(play.as(at(2)), 'wait');
    expect(play.events.at(-1)).toMatchObject({
      format: 2,
      cause: { kind: 'continue', block: 'u-wait' },
      changes: [
        { kind: 'waited', block: 'u-wait' },
        { kind: 'entered', block: 'u-b' },
      ],
    });
    expect(play.state).toMatchObject({ format: 1, blocks: { 'u-b': { active: true } } });
    expect(play.state).not.toHaveProperty('waiting');
    goOn(play, 'wait');
    expect(play.tookEffect).toBe(false);
    expect(fold(play.events)).toEqual(play.state);
  });

  test('that leads nowhere finishes the flow, and one with nothing but a delay is in progress (Z4, S18)', () => {
    const play = started(compileFlow({ blocks: { wait: delay() } }));
    expect(play.state).toMatchObject({ started: true, finished: false });
    goOn(play.as(at(1)), 'wait');
    expect(play.state.finished).toBe(true);
  });

  test('is over when the flow is stopped, finished or reset (Z4, S10, S11, S17)', () => {
    for (const end of [(play: Play) => play.stop(), (play: Play) => play.finish()]) {
      const play = end(waits());
      expect(play.events.at(-1)?.changes).toContainEqual({ kind: 'deactivated', block: 'u-wait' });
      expect(play.state).not.toHaveProperty('waiting');
      expect(fold(play.events)).toEqual(play.state);
    }
    expect(waits().reset().state).not.toHaveProperty('waiting');
    const both = {
      start: ['wait', 'a'],
      blocks: { a: card({ complete: 'finish' }), wait: delay() },
    };
    expect(started(compileFlow(both)).take('a', 'complete').state).not.toHaveProperty('waiting');
  });

  test('that waits stays as it is when it is entered again, also within one step (Z4, S20)', () => {
    const again = compileFlow({
      start: ['a', 'b'],
      blocks: {
        a: card({ complete: 'wait' }),
        b: card({ complete: 'wait' }),
        wait: delay('c'),
        c: card(),
      },
    });
    const play = started(again).take('a', 'complete').as(at(0.5)).take('b', 'complete');
    expect(play.tookEffect).toBe(true);
    expect(play.state.waiting).toEqual({ 'u-wait': NOW + MINUTE });
  });

  test('may lead back to itself: it waits once more, from then on (Z4, S4)', () => {
    const round = compileFlow({ blocks: { wait: delay('call'), call: webhook('wait') } });
    const play = goOn(started(round).as(at(3)), 'wait');
    expect(play.state.waiting).toEqual({ 'u-wait': NOW + 4 * MINUTE });
    expect(play.effects).toHaveLength(1);
    expect(fold(play.events)).toEqual(play.state);
  });

  test('is an input of a gate like any block, and what is no delay never goes on (Z4, S16)', () => {
    const meet = compileFlow({
      start: ['a', 'wait'],
      blocks: { a: card({ complete: 'both' }), wait: delay('both'), both: gate('b'), b: card() },
    });
    const play = goOn(started(meet).as(at(1)), 'wait').take('a', 'complete');
    expect(play.state.blocks['u-b']).toMatchObject({ active: true });
    for (const id of ['a', 'both', 'nothing']) expect(goOn(play, id).tookEffect).toBe(false);
  });
});

describe('versions', () => {
  const { state } = waits();
  const longer = compileFlow({
    blocks: { a: card({ complete: 'wait' }), wait: delay('b', 99 * MINUTE), b: card() },
  });
  const without = compileFlow({ blocks: { a: card(), b: card() } });

  test('keep until when it waits, over edits and migrations; a new time is for those who come later (Z4, S27, S28)', () => {
    expect(adaptToEdit(longer, state, at(1)).event).toBeNull();
    const migrated = migrate(longer, { version: 1, state }, 'carry-over', at(1));
    expect(migrated.state.waiting).toEqual(state.waiting);
    expect(migrated.event).toMatchObject({ format: 2, changes: [{ kind: 'carried', state }] });
    expect(fold([migrated.event!])).toEqual(migrated.state);
  });

  test('without it drop it, and restart where nothing else goes on (Z4, S27, S28)', () => {
    const edited = adaptToEdit(without, state, at(1));
    expect(edited.event?.changes).toContainEqual({ kind: 'dropped', block: 'u-wait' });
    expect(edited.state).toMatchObject({ format: 1, blocks: { 'u-a': { active: true } } });
    expect(edited.state).not.toHaveProperty('waiting');
    const migrated = migrate(without, { version: 1, state }, 'carry-over', at(1));
    expect(migrated.state).toEqual(edited.state);
  });

  test('that were put back wait as they did (Z4, I5)', () => {
    const restored = restore(EMPTY_STATE, state, 2);
    expect(restored).toMatchObject({ event: { format: 2 }, state: { waiting: state.waiting } });
    expect(restore(state, state, 2).event).toBeNull();
  });
});
