import { describe, expect, test } from '@jest/globals';
import { deepFreeze } from '@waymark/testing/builders';
import {
  editedPlays,
  later,
  planned,
  plays,
  type Turn,
  withDates,
} from '@waymark/testing/generators';
import {
  referenceEdit,
  referenceEnd,
  referenceLook,
  referenceMigration,
  referenceRestore,
  referenceStep,
  type ReferenceOutcome,
} from '@waymark/testing/reference';
import { fc } from '@waymark/testing/properties';
import {
  adaptToEdit,
  compile,
  EMPTY_STATE,
  exposedBlocks,
  fold,
  hasEnded,
  isActive,
  isRunning,
  isSameState,
  migrate,
  MIGRATION_STRATEGIES,
  restore,
  startOnRead,
  step,
  stopAtEnd,
  takeDone,
  type Change,
  type Command,
  type CompiledFlow,
  type Context,
  type FlowDefinition,
  type FlowState,
  type Step,
} from '../../index.js';

/**
 * More of them: `node tools/test.mjs engine-properties --globals '{"RUNS":20000}' --testTimeout
 * 600000`.
 */
const { RUNS = 300 } = globalThis as { RUNS?: number };
/** Agreement is worth the most; what else is claimed breaks soon if it breaks at all. */
const FEWER_RUNS = Math.ceil(RUNS / 6);

interface Played {
  readonly before: FlowState;
  readonly command: Command;
  readonly context: Context;
  readonly done: Step;
}

/**
 * Plays the turns one after the other. All that the engine gets and gives is frozen: it must change
 * none of it.
 */
function play(
  flow: CompiledFlow,
  definition: FlowDefinition,
  turns: readonly Turn[],
  from = EMPTY_STATE,
): Played[] {
  const played: Played[] = [];
  for (const { plan, context } of turns) {
    const before = played.at(-1)?.done.state ?? from;
    const command = planned(definition, before, plan);
    deepFreeze([before, command, context]);
    played.push({
      before,
      command,
      context,
      done: deepFreeze(step(flow, before, command, context)),
    });
  }
  return played;
}

const compileFrozen = (definition: FlowDefinition): CompiledFlow => compile(deepFreeze(definition));
const stateAfter = (played: readonly Played[], from = EMPTY_STATE): FlowState =>
  played.at(-1)?.done.state ?? from;
const eventsOf = (steps: readonly Step[]) => steps.flatMap(({ event }) => event ?? []);
const outcomeOf = ({ state, event, effects }: Step): ReferenceOutcome => ({
  state,
  tookEffect: event !== null,
  effects,
});

/** Makes a claim about every step of many random plays. */
function forEveryStep(
  claim: (played: Played, definition: FlowDefinition, flow: CompiledFlow) => void,
  numRuns = FEWER_RUNS,
): void {
  fc.assert(
    fc.property(plays(), ({ definition, turns }) => {
      const flow = compileFrozen(definition);
      for (const played of play(flow, definition, turns)) claim(played, definition, flow);
    }),
    { numRuns },
  );
}

interface Edited {
  readonly before: readonly Step[];
  readonly state: FlowState;
  readonly after: FlowDefinition;
  readonly context: Context;
  readonly turnsAfter: readonly Turn[];
}

/** Makes a claim about states that random plays left in a flow, and an edit of that flow. */
function forEveryEdit(claim: (edited: Edited) => void, numRuns = FEWER_RUNS): void {
  fc.assert(
    fc.property(editedPlays(), ({ flows, turns, context, turnsAfter }) => {
      const played = play(compileFrozen(flows.before), flows.before, turns);
      const lastRunning = played.findLastIndex(({ done }) => isRunning(done.state)) + 1;
      // Most plays end in a finished flow; what an edit does to a running one says more.
      for (const end of new Set([lastRunning, played.length])) {
        const before = played.slice(0, end);
        claim({
          before: before.map(({ done }) => done),
          state: stateAfter(before),
          ...deepFreeze({ after: flows.after, context }),
          turnsAfter,
        });
      }
    }),
    { numRuns },
  );
}

describe('the engine and the reference agree', () => {
  test('on state, taking effect and effects of every command (S6 to S25)', () => {
    forEveryStep(({ before, command, context, done }, definition) => {
      expect(outcomeOf(done)).toEqual(referenceStep(definition, before, command, context));
    }, RUNS);
  });

  test('on what a read starts (S8)', () => {
    forEveryStep(({ before, context }, definition, flow) => {
      const start = { kind: 'start', force: false } as const;
      expect(outcomeOf(startOnRead(flow, before, context))).toEqual(
        referenceStep(definition, before, start, context),
      );
    }, RUNS);
  });

  test('on what is done by itself after every command, and folding gives the state; looking again comes to an end (Z1, S4, S6)', () => {
    fc.assert(
      fc.property(plays(), ({ definition, turns }) => {
        const flow = compileFrozen(definition);
        const steps: Step[] = [];
        let state: FlowState = EMPTY_STATE;
        for (const { plan, context } of turns) {
          const done = step(flow, state, planned(definition, state, plan), deepFreeze(context));
          steps.push(done);
          state = deepFreeze(done.state);
          for (let looks = 0, moved = true; moved; looks++) {
            const look = takeDone(flow, state, context);
            expect(outcomeOf(look)).toEqual(referenceLook(definition, state, context));
            expect(looks).toBeLessThan(100);
            moved = look.event !== null;
            steps.push(look);
            state = deepFreeze(look.state);
          }
        }
        expect(fold(eventsOf(steps))).toEqual(state);
      }),
      { numRuns: RUNS },
    );
  });

  test('on what an edit does to a state, and on every command afterwards (S27)', () => {
    forEveryEdit(({ state, after, context, turnsAfter }) => {
      const flow = compile(after);
      const adapted = adaptToEdit(flow, state, context);
      expect(outcomeOf(adapted)).toEqual(referenceEdit(after, state, context));
      for (const { before, command, context: then, done } of play(
        flow,
        after,
        turnsAfter,
        adapted.state,
      )) {
        expect(outcomeOf(done)).toEqual(referenceStep(after, before, command, then));
      }
    }, RUNS);
  });

  test.each(MIGRATION_STRATEGIES)('on what a %s migration makes of a state (S28)', (strategy) => {
    forEveryEdit(({ state, after, context }) => {
      const migrated = migrate(compile(after), { version: 1, state }, strategy, context);
      expect(outcomeOf(migrated)).toEqual(referenceMigration(after, state, strategy, context));
    }, RUNS);
  });
});

describe('flows with dates', () => {
  const datedPlays = () =>
    editedPlays().chain((play) =>
      fc
        .tuple(withDates(play.flows.before), withDates(play.flows.after))
        .map(([before, after]) => ({ ...play, flows: { before, after } })),
    );

  test('agree with the reference on every turn and on what an edit or migration does; folding gives the state (Z8, S6)', () => {
    fc.assert(
      fc.property(datedPlays(), ({ flows, turns, context, turnsAfter }) => {
        const before = compileFrozen(flows.before);
        const first = playDated(before, turns);
        expect(fold(eventsOf(first.steps))).toEqual(first.state);
        const flow = compileFrozen(flows.after);
        const then = later(context, turns.length % 12);
        for (const strategy of MIGRATION_STRATEGIES) {
          const migrated = migrate(flow, { version: 1, state: first.state }, strategy, then);
          expect(outcomeOf(migrated)).toEqual(
            referenceMigration(flows.after, first.state, strategy, then),
          );
        }
        const adapted = adaptToEdit(flow, first.state, then);
        expect(outcomeOf(adapted)).toEqual(referenceEdit(flows.after, first.state, then));
        const second = playDated(flow, turnsAfter, adapted.state);
        expect(fold(eventsOf([...first.steps, adapted, ...second.steps]))).toEqual(second.state);
      }),
      { numRuns: RUNS },
    );
  });

  /** Half a day goes by from turn to turn; the end is looked at before each, as the services do. */
  function playDated(flow: CompiledFlow, turns: readonly Turn[], from = EMPTY_STATE) {
    const { definition } = flow;
    const steps: Step[] = [];
    let state: FlowState = from;
    for (const [index, { plan, context }] of turns.entries()) {
      const now = later(context, index % 12);
      const ended = stopAtEnd(flow, deepFreeze(state), now);
      expect(outcomeOf(ended)).toEqual(referenceEnd(definition, state, now));
      const command = planned(definition, ended.state, plan);
      const done = step(flow, ended.state, command, now);
      expect(outcomeOf(done)).toEqual(referenceStep(definition, ended.state, command, now));
      if (hasEnded(flow, now)) expect(isRunning(done.state)).toBe(false);
      steps.push(ended, done);
      state = done.state;
    }
    return { steps, state };
  }
});

describe('events', () => {
  test('folding the events of a state from empty gives the state, edits included (S6)', () => {
    forEveryEdit(({ before, state, after, context, turnsAfter }) => {
      expect(fold(eventsOf(before))).toEqual(state);
      const flow = compile(after);
      const adapted = adaptToEdit(flow, state, context);
      const played = play(flow, after, turnsAfter, adapted.state);
      expect(fold(eventsOf([...before, adapted, ...played.map(({ done }) => done)]))).toEqual(
        stateAfter(played, adapted.state),
      );
    });
  });

  test('folding the events of a state that began with a migration gives the state (S6, S28)', () => {
    forEveryEdit(({ state, after, context, turnsAfter }) => {
      const flow = compile(after);
      for (const strategy of MIGRATION_STRATEGIES) {
        const migrated = migrate(flow, { version: 1, state }, strategy, context);
        const played = play(flow, after, turnsAfter, migrated.state);
        const events = eventsOf([migrated, ...played.map(({ done }) => done)]);
        expect(fold(events)).toEqual(stateAfter(played, migrated.state));
      }
    });
  });

  test('without an event the very state that came in goes out, without effects (S6)', () => {
    forEveryStep(({ before, done }) => {
      if (done.event) return;
      expect(done.state).toBe(before);
      expect(done.effects).toEqual([]);
    });
  });

  test('states and events come back from JSON as they were, and go on alike (S6)', () => {
    forEveryStep(({ before, command, context, done }, _, flow) => {
      const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value));
      expect(throughJson(done)).toEqual(done);
      expect(step(flow, throughJson(before), throughJson(command), throughJson(context))).toEqual(
        done,
      );
    });
  });

  test('the same input gives the same step, also from a definition compiled anew (S6)', () => {
    forEveryStep(({ before, command, context, done }, definition) => {
      expect(step(compile(structuredClone(definition)), before, command, context)).toEqual(done);
    });
  });
});

describe('restoring', () => {
  test('puts any state of a history back, and everything that follows folds, edits included (I5, S6, S27)', () => {
    forEveryEdit(({ before, state, after, context, turnsAfter }) => {
      const flow = compile(after);
      for (const [revision, former] of [
        EMPTY_STATE,
        ...before.map((done) => done.state),
      ].entries()) {
        const restored = deepFreeze(restore(state, former, revision));
        expect(outcomeOf(restored)).toEqual(referenceRestore(state, former));
        expect(isSameState(fold(eventsOf([...before, restored])), former)).toBe(true);
        const adapted = adaptToEdit(flow, restored.state, context);
        expect(outcomeOf(adapted)).toEqual(referenceEdit(after, restored.state, context));
        const played = play(flow, after, turnsAfter, adapted.state);
        const events = eventsOf([...before, restored, adapted, ...played.map(({ done }) => done)]);
        expect(fold(events)).toEqual(stateAfter(played, adapted.state));
      }
    });
  });
});

describe('repeating', () => {
  test('a repeated command has no effect; a reset changes nothing more, a block led back to is left again (W5)', () => {
    forEveryStep(({ command, context, done }, _, flow) => {
      const again = step(flow, done.state, command, context);
      if (command.kind === 'reset') expect(again.state).toEqual(done.state);
      else
        expect(again.event !== null).toBe(
          command.kind === 'transition' &&
            done.event !== null &&
            isActive(done.state, command.block),
        );
    });
  });

  test('a reset leaves what a user who never came near the flow gets (S10)', () => {
    forEveryStep(({ before, context }, _, flow) => {
      for (const force of [true, false]) {
        const reset = step(flow, before, { kind: 'reset', force }, context);
        const fresh = step(flow, EMPTY_STATE, { kind: 'start', force }, context);
        expect(reset.state).toEqual(fresh.state);
        expect(reset.effects).toEqual(fresh.effects);
      }
    });
  });

  test('the order of the names in a request is of no matter (S12)', () => {
    forEveryStep(({ before, command, context, done }, _, flow) => {
      if (command.kind !== 'transition') return;
      const reversed = step(
        flow,
        before,
        { ...command, names: command.names.toReversed() },
        context,
      );
      expect(outcomeOf(reversed)).toEqual(outcomeOf(done));
    });
  });
});

describe('every state', () => {
  test('a stopped or finished flow has no active block, and only reset, stop and finish move it (S9, S11, S12)', () => {
    forEveryStep(({ before, command, done }, _, flow) => {
      if (!before.stopped && !before.finished) return;
      expect(exposedBlocks(flow).filter(({ uid }) => isActive(before, uid))).toEqual([]);
      expect(before.waiting).toBeUndefined();
      if (['start', 'transition', 'continue'].includes(command.kind)) expect(done.event).toBeNull();
    });
  });

  test('a running flow has an active block or a delay that waits, a flow not running has neither (S11, S18, Z4)', () => {
    forEveryStep(({ done: { state } }, _, flow) => {
      const isHere = exposedBlocks(flow).some(({ uid }) => isActive(state, uid));
      expect(isHere || state.waiting !== undefined).toBe(isRunning(state));
    });
  });

  test('a state has format 2 where a delay waits, an event where it tells of delays or of ways; all else is as it was (Z0, Z4, K1)', () => {
    forEveryStep(({ command, done: { state, event } }, _, { byUid }) => {
      expect(state.format).toBe(Object.keys(state.waiting ?? {}).length > 0 ? 2 : 1);
      expect('waiting' in state).toBe(state.format === 2);
      if (!event) return;
      const tells = event.changes.some(
        (change) =>
          change.kind === 'waiting' ||
          change.kind === 'waited' ||
          (change.kind === 'transitioned' && byUid.get(change.block)?.kind === 'split'),
      );
      expect(event.format).toBe(tells || command.kind === 'continue' ? 2 : 1);
    });
  });

  test('stopped and finished exclude each other (S11)', () => {
    forEveryStep(({ done: { state } }) => expect(state.stopped && state.finished).toBe(false));
  });

  test('what is active or exited has been entered, what took a name has been exited (S12, S14)', () => {
    forEveryStep(({ done: { state } }, _, { byUid }) => {
      for (const [uid, block] of Object.entries(state.blocks)) {
        if (byUid.get(uid)?.kind === 'split') {
          expect(block).toEqual({ transitioned: [expect.any(String)] });
          continue;
        }
        expect(block.entered).toBe(true);
        expect(Boolean(block.transitioned)).toBe(Boolean(block.exited));
      }
    });
  });

  test('items are active only in an active container, a tour shows exactly one (S21, S22, S24)', () => {
    forEveryStep(({ done: { state } }, _, flow) => {
      for (const block of exposedBlocks(flow)) {
        if (block.kind !== 'container') continue;
        const active = block.items.filter(({ uid }) => isActive(state, uid)).length;
        if (!isActive(state, block.uid)) expect(active).toBe(0);
        else if (block.type === 'tour') expect(active).toBe(1);
        else expect(active).toBeGreaterThan(0);
      }
    });
  });
});

describe('bounds', () => {
  const countOf = (
    changes: readonly Change[],
    kinds: readonly Change['kind'][],
    uid: string,
  ): number =>
    changes.filter(
      (change) =>
        kinds.includes(change.kind) &&
        ('block' in change ? change.block : 'gate' in change && change.gate) === uid,
    ).length;

  test('in one step each automatic block acts at most once, each block is entered and each gate reached at most once a path (S20)', () => {
    forEveryStep(({ done }, definition) => {
      const changes = done.event?.changes ?? [];
      for (const { uid, id } of definition.blocks) {
        const pathsTo =
          definition.blocks.flatMap(({ paths }) => paths.filter(({ to }) => to === id)).length +
          Number(definition.start.includes(id));
        expect(countOf(changes, ['branched', 'passed', 'effected'], uid)).toBeLessThanOrEqual(1);
        expect(countOf(changes, ['waiting'], uid)).toBeLessThanOrEqual(1);
        expect(countOf(changes, ['entered', 'received'], uid)).toBeLessThanOrEqual(pathsTo);
      }
      expect(done.effects.length).toBe(changes.filter(({ kind }) => kind === 'effected').length);
    });
  });
});
