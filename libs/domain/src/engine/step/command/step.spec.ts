import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  gate,
  modal,
  pictureOf,
  Play,
  someone,
  started,
} from '@waymark/testing/builders';
import { EMPTY_STATE } from '../../state/state.js';
import { step } from './step.js';

describe('a transition', () => {
  const flow = compileFlow({
    blocks: {
      ask: custom({ 'yes,maybe': 'good', no: 'bad', yes: 'extra' }),
      good: card(),
      bad: card(),
      extra: modal({ complete: 'ask' }),
    },
  });

  test('makes the block inactive and exited, notes the name and follows its paths (S12)', () => {
    expect(pictureOf(started(flow).take('ask', 'no').state)).toEqual({
      flow: 'started',
      ask: 'entered exited [no]',
      bad: 'active entered',
    });
  });

  test('follows every path that carries the name (S1, S12)', () => {
    expect(activeIn(started(flow).take('ask', 'yes').state)).toEqual(['extra', 'good']);
  });

  test('several names are one step, in the order of the definition whatever theirs (S12)', () => {
    const play = started(flow).take('ask', 'no', 'yes');
    expect(play.events).toHaveLength(2);
    const other = started(flow).take('ask', 'yes', 'no');
    expect(other.events[1]?.changes).toEqual(play.events[1]?.changes);
    expect(play.events[1]?.changes).toEqual([
      { kind: 'exited', block: 'u-ask' },
      { kind: 'transitioned', block: 'u-ask', name: 'yes' },
      { kind: 'transitioned', block: 'u-ask', name: 'no' },
      { kind: 'entered', block: 'u-good' },
      { kind: 'entered', block: 'u-bad' },
      { kind: 'entered', block: 'u-extra' },
    ]);
  });

  test('the order of paths decides where a finish cuts the walk, not the order of names (S12, S17)', () => {
    const cut = compileFlow({ blocks: { ask: custom({ a: 'first', b: 'finish', c: 'last' }), first: card(), last: card() } });
    expect(pictureOf(started(cut).take('ask', 'c', 'b', 'a').state)).toEqual({
      flow: 'started finished',
      ask: 'entered exited [a b c]',
      first: 'entered',
    });
  });

  test('a path with two used names is followed once, repeated names count once (S12, S13, S20)', () => {
    const gated = compileFlow({ blocks: { ask: custom({ 'yes,sure': ['g', 'ask'] }), g: gate('bye'), bye: card() } });
    const play = started(gated).take('ask', 'sure', 'yes', 'sure');
    // Followed twice, the gate would pass and then keep the second arrival.
    expect(pictureOf(play.state)).toEqual({ flow: 'started', ask: 'active entered exited [yes sure]', bye: 'active entered' });
  });

  test('a fixed name without a path still exits the block (S13)', () => {
    const play = started(compileFlow({ start: ['a', 'b'], blocks: { a: card({ complete: 'finish' }), b: card() } })).take(
      'a',
      'dismiss',
    );
    expect(pictureOf(play.state)).toEqual({ flow: 'started', a: 'entered exited [dismiss]', b: 'active entered' });
  });

  test('a path back to the same block takes effect though every flag ends as it was (S6, S14)', () => {
    const play = started(compileFlow({ blocks: { ask: custom({ again: 'ask' }) } })).take('ask', 'again');
    const before = play.state;
    expect(play.take('ask', 'again').tookEffect).toBe(true);
    expect(play.state).toEqual(before);
  });

  test('an exited block becomes active again, its exited and transitioned stay (S14)', () => {
    const play = started(flow).take('ask', 'yes').take('extra', 'complete');
    expect(pictureOf(play.state).ask).toBe('active entered exited [yes]');
  });

  const idle: [string, (play: Play) => Play][] = [
    ['a block never entered', (play) => play.take('good', 'complete')],
    ['a block already left', (play) => play.take('ask', 'no').take('ask', 'no')],
    ['a block of a stopped flow', (play) => play.stop().take('ask', 'no')],
    ['a block of a finished flow', (play) => play.finish().take('ask', 'no')],
  ];
  test.each(idle)('has no effect on %s (S12)', (_, act) => {
    const play = act(started(flow));
    expect(play.tookEffect).toBe(false);
  });

  test('has no effect in a flow never started, and gives back the very state (S6, S12)', () => {
    const result = step(flow, EMPTY_STATE, { kind: 'transition', block: 'u-ask', names: ['no'] }, someone());
    expect(result).toEqual({ state: EMPTY_STATE, event: null, effects: [] });
    expect(result.state).toBe(EMPTY_STATE);
  });

  test.each([['no-such'], ['u-logic']])('of %s, which is no exposed block, is a mistake of the caller (B6)', (uid) => {
    const withLogic = compileFlow({ blocks: { logic: branch('true', { true: 'ask' }), ask: custom() } });
    const transition = { kind: 'transition', block: uid, names: ['no'] } as const;
    expect(() => step(withLogic, EMPTY_STATE, transition, someone())).toThrow(
      expect.objectContaining({ code: 'engine.unknown-block' }),
    );
  });

  test('with names that the check refuses is a mistake of the caller, whatever the state (S13)', () => {
    const refused = expect.objectContaining({ code: 'engine.invalid-names' });
    for (const names of [['nope'], [''], []]) {
      expect(() => new Play(flow).take('ask', ...names)).toThrow(refused);
    }
  });
});

describe('every step', () => {
  test('gives the same for the same input and writes on none of it (R11)', () => {
    const flow = compileFlow({ blocks: { list: checklist(['one', 'two'], { complete: 'list' }) } });
    const play = () => started(flow).take('one', 'skip').take('two', 'complete').take('one', 'complete').stop().reset();
    expect(play().events).toEqual(play().events);
    expect(play().state).toEqual(play().state);
  });

  test('records its command as the cause (S6)', () => {
    const play = started(compileFlow({ blocks: { a: card({ complete: 'a' }) } }))
      .take('a', 'complete')
      .stop();
    expect(play.events.map(({ cause }) => cause)).toEqual([
      { kind: 'start', force: true },
      { kind: 'transition', block: 'u-a', names: ['complete'] },
      { kind: 'stop' },
    ]);
  });

  test('leaves no trace of blocks that have nothing true (S5)', () => {
    const play = started(compileFlow({ blocks: { a: card({ complete: 'b' }), b: card() } }));
    expect(play.state).toEqual({
      format: 1,
      started: true,
      stopped: false,
      finished: false,
      blocks: { 'u-a': { active: true, entered: true } },
      gates: {},
    });
    expect(JSON.parse(JSON.stringify(play.state))).toEqual(play.state);
  });
});

/*
 * Faults that were planted one at a time, with the spec that turned red first. A new rule gets its fault here too.
 *
 * adapt.spec.ts
 *   a gate opens early (any input); a gate keeps what it received when it passes; a tour shows all items; branches swap
 *   their outcomes; empty blocks stay in the state; empty gates stay in the state; an idle command makes a new state; an
 *   edit keeps names that are gone; an edit keeps blocks that are gone; an edit keeps gate inputs that are gone; an edit
 *   does not restart; an edit adapts stopped flows; an edit enters no new items; an edit re-enters items taken; an edit
 *   moves a tour that stands; an edit moves a tour back to its first item; an edit completes no container; an edit goes on
 *   after a finish; an edit completes before it moves tours; an edit lets no gate pass
 * check/check-definition.spec.ts
 *   unreachable blocks are not told; the start does not count as a path; items do not count as blocks
 * check/rules/gates-are-sound.spec.ts
 *   never-opens ignores ways back
 * check/rules/gates.spec.ts
 *   never-opens ignores ways side by side; dominators of the first pass only
 * gates.spec.ts
 *   a gate passes twice in a step; a gate waits for blocks that nothing reaches; the start is no input of a gate; reset
 *   forgets to clear
 * leaving.spec.ts
 *   previous goes next; previous on the first item exits it; the last next does not complete the tour; a checklist does
 *   not count skips; hints do not count dismissals; a checklist completes at its first item; items are exited when their
 *   container is left; a container entered again keeps its items; S18 missing; items move in an inactive container; a
 *   transition is not noted; entering clears exited
 * migrate.spec.ts
 *   items stay active when their container is left; S18 for stopped flows too; transitions work in stopped flows; carry-
 *   over does not adapt; carry-over keeps what is gone; restart-in-progress restarts everybody; restart-all restarts those
 *   in progress only; restart-all lets in who was kept out; stop-in-progress leaves them running; an empty migration is
 *   written; an empty migration of flags is written
 * names.spec.ts
 *   next and previous in one call are let through; no name at all is let through
 * needs-context.spec.ts
 *   needsContext forgets branches
 * starting.spec.ts
 *   reset keeps transitions; reset keeps gates; reset ignores force; reset always takes effect; start ignores a stop; an
 *   api-only flow lets everybody in
 * step.spec.ts
 *   a finish leaves blocks active; stop exits blocks; paths in the order of the names; names stay in the order of the
 *   request; transitions work on inactive blocks; the input state is written; a path with two names is followed twice
 * stopping.spec.ts
 *   a finish does not end the walk; stop leaves finished set; the order of stored keys shows in events
 * walk.spec.ts
 *   an active block is entered anew; breadth first; paths in reverse; exit forgets to set exited; an automatic block acts
 *   again and again
 */
