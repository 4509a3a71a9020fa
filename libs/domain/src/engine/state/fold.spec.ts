import { describe, expect, test } from '@jest/globals';
import { card, compileFlow, deepFreeze, Play, started } from '@waymark/testing/builders';
import { readdirSync, readFileSync } from 'node:fs';
import type { Change, FlowEvent } from './event.js';
import { applyChange, fold } from './fold.js';
import { EMPTY_STATE, type FlowState } from './state.js';

interface Recording {
  title: string;
  events: FlowEvent[];
  state: FlowState;
}

/**
 * Histories as earlier versions wrote them. They are never rewritten: what was recorded once has to
 * fold for ever.
 */
const folder = new URL('../fixtures/', import.meta.url);
const recordings = readdirSync(folder).map((file): Recording =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
);

describe('recorded histories', () => {
  test.each(recordings)('$title: the events give the state (S6)', ({ events, state }) => {
    expect(fold(events)).toStrictEqual(state);
  });

  test('tell of every kind of change (S6)', () => {
    const kinds: Record<Change['kind'], true> = {
      cleared: true,
      flow: true,
      entered: true,
      exited: true,
      deactivated: true,
      transitioned: true,
      branched: true,
      received: true,
      passed: true,
      effected: true,
      waiting: true,
      waited: true,
      dropped: true,
      'dropped-name': true,
      'dropped-input': true,
      carried: true,
    };
    const recorded = recordings.flatMap(({ events }) =>
      events.flatMap(({ changes }) => changes.map(({ kind }) => kind)),
    );
    expect(new Set(recorded)).toEqual(new Set(Object.keys(kinds)));
  });
});

describe('folding', () => {
  test('no events gives the empty state itself (S5, S6)', () => {
    expect(fold([])).toBe(EMPTY_STATE);
  });

  test('the events of a state from empty gives the state after each of them (S6)', () => {
    const flow = compileFlow({ blocks: { a: card({ complete: 'b' }), b: card({ dismiss: 'a' }) } });
    const play = new Play(flow);
    const steps = [
      () => play.start(),
      () => play.take('a', 'complete'),
      () => play.take('b', 'dismiss'),
      () => play.stop(),
      () => play.reset(),
    ];
    for (const next of steps) expect(fold(next().events)).toStrictEqual(play.state);
  });

  test('refuses a change of a kind it does not know, which a newer release recorded (R17)', () => {
    const changes = [{ kind: 'dreamt', block: 'u-a' }] as unknown as Change[];
    const event: FlowEvent = { format: 1, cause: { kind: 'stop' }, changes };
    expect(() => fold([event])).toThrow(expect.objectContaining({ code: 'engine.unknown-format' }));
  });

  test('refuses an event of a format it does not know (S6, R17)', () => {
    const event = { format: 3, cause: { kind: 'stop' }, changes: [] } as unknown as FlowEvent;
    expect(() => fold([event])).toThrow(expect.objectContaining({ code: 'engine.unknown-format' }));
  });
});

describe('a change that changes nothing gives back the very state (S6)', () => {
  const flow = compileFlow({ start: ['a', 'b'], blocks: { a: card(), b: card() } });
  const state = deepFreeze(started(flow).take('a', 'complete').state);
  const idle: Change[] = [
    { kind: 'flow', started: true },
    { kind: 'transitioned', block: 'u-a', name: 'complete' },
    { kind: 'dropped', block: 'u-none' },
    { kind: 'branched', block: 'u-a', outcome: true },
    { kind: 'effected', block: 'u-a' },
  ];
  test.each(idle)('%j', (change) => {
    expect(applyChange(state, change)).toBe(state);
  });

  test('clearing the empty state', () => {
    expect(applyChange(EMPTY_STATE, { kind: 'cleared' })).toBe(EMPTY_STATE);
  });
});

test('a name that every object has is a name like any other (S1)', () => {
  const entered = applyChange(EMPTY_STATE, { kind: 'entered', block: 'constructor' });
  const received = applyChange(entered, { kind: 'received', gate: 'valueOf', from: 'toString' });
  expect(JSON.stringify(received.blocks)).toBe('{"constructor":{"active":true,"entered":true}}');
  expect(JSON.stringify(received.gates)).toBe('{"valueOf":["toString"]}');
});
