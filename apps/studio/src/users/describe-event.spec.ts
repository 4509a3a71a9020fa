import { expect, test } from '@jest/globals';
import { type FlowDefinition, identifiersOf } from '@waymark/domain/engine';
import { branch, checklist, defineFlow, modal, webhook } from '@waymark/testing/builders';
import { describeEvent } from './describe-event.js';

const flow: FlowDefinition = defineFlow({
  flow: 'f',
  blocks: {
    hello: modal({ complete: 'admin' }),
    admin: branch('true', { true: ['list', 'tell'] }),
    list: checklist(['one']),
    tell: webhook([]),
  },
});
const uidOf = (id: string) => flow.blocks.find((block) => block.id === id)!.uid;

test('an event is told in words that need no knowledge of states, without what its cause says already (T10)', () => {
  const block = uidOf('hello');
  const told = describeEvent(
    {
      revision: 2,
      at: new Date(0),
      command: { kind: 'transition', block, names: ['complete'] },
      changes: [
        { kind: 'exited', block },
        { kind: 'transitioned', block, name: 'complete' },
        { kind: 'branched', block: uidOf('admin'), outcome: true },
        { kind: 'entered', block: uidOf('list') },
        { kind: 'effected', block: uidOf('tell') },
        { kind: 'entered', block: 'gone' },
        { kind: 'flow', started: true, finished: false },
      ],
    } as never,
    identifiersOf(flow),
  );
  expect(told).toEqual({
    revision: 2,
    at: '1970-01-01T00:00:00.000Z',
    cause: 'complete of hello',
    changes: [
      'admin was true',
      'entered list',
      'set off tell',
      'entered gone',
      'started, not finished',
    ],
  });
});

test.each([
  [{ kind: 'migrated', from: 1, strategy: 'carry-over' }, 'moved here from version 1'],
  [{ kind: 'restored', revision: 3 }, 'restored to step 3'],
  [{ kind: 'restored', revision: 0 }, 'restored to before it began'],
  [{ kind: 'condition' }, 'done by itself'],
])('%o is told as “%s” (T16)', (command, cause) => {
  const event = { revision: 4, at: new Date(0), command, changes: [] };
  expect(describeEvent(event as never, identifiersOf(flow)).cause).toBe(cause);
});

test('that a delay waits, and that it went on by itself (Z4, T10)', () => {
  const block = uidOf('hello');
  const event = {
    ...{ revision: 3, at: new Date(0), command: { kind: 'continue', block } },
    changes: [
      { kind: 'waited', block },
      { kind: 'waiting', block, until: Date.UTC(2030, 0, 2) },
    ],
  };
  expect(describeEvent(event as never, identifiersOf(flow))).toMatchObject({
    cause: 'time is over in hello',
    changes: ['went on from hello', 'waits in hello until 2030-01-02 00:00 UTC'],
  });
});
