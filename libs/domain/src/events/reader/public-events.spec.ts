import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Cause, Change } from '../../engine/index.js';
import { EVENT_SCHEMA } from './event-schema.js';
import { EVENT_TYPES } from './public-event.js';
import { publicEvents } from './public-events.js';
import type { LogStep } from './read-log.js';

const ajv = new Ajv2020({ allErrors: true });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
const isDocumented = ajv.compile(EVENT_SCHEMA);

const names = new Map([
  ['u1', { block: 'hello', blockType: 'modal' }],
  ['u2', { block: 'fork', blockType: 'branch' }],
]);
const stepOf = (
  cause: Cause | { kind: 'restored' },
  changes: readonly Change[],
  more: Partial<LogStep> = {},
): LogStep => ({
  place: '731',
  userId: '6f1c7a1e-0000-5000-8000-000000000001',
  flow: 'tour',
  version: 3,
  revision: 7,
  at: new Date('2026-02-03T04:05:06.789Z'),
  event: { format: 1, cause: cause as Cause, changes },
  group: 'acme',
  origin: 'request',
  user: 'ada',
  ...more,
});
const tell = (step: LogStep) =>
  publicEvents(step, 'production', (uid) => names.get(uid) ?? { block: uid });
const told = (cause: Cause | { kind: 'restored' }, ...changes: Change[]) =>
  tell(stepOf(cause, changes)).map(({ type, block, transitions, outcome, path }) =>
    [type, block, transitions?.join('+'), outcome, path]
      .filter((part) => part !== undefined)
      .join(' '),
  );

const flags = { started: true, stopped: false, finished: true };
const carried: Change = { kind: 'carried', state: { format: 1, ...flags, blocks: {}, gates: {} } };

describe('a recorded step is told', () => {
  test('with identifiers, never uids, and with all that is known of it (E5)', () => {
    expect(
      tell(
        stepOf({ kind: 'transition', block: 'u1', names: ['complete'] }, [
          { kind: 'entered', block: 'u1' },
        ]),
      ),
    ).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{14}5[0-9a-f]{3}-[89ab][0-9a-f-]+$/),
        type: 'block.entered',
        timestamp: '2026-02-03T04:05:06.789Z',
        environment: 'production',
        user: 'ada',
        group: 'acme',
        flow: 'tour',
        version: 3,
        revision: 7,
        block: 'hello',
        blockType: 'modal',
        command: 'transition',
        by: 'request',
      },
    ]);
  });

  test.each<[string, string[], Change[]]>([
    [
      'a reset that starts',
      ['flow.reset', 'flow.started'],
      [{ kind: 'cleared' }, { kind: 'flow', started: true }],
    ],
    [
      'an end',
      ['flow.finished'],
      [
        { kind: 'flow', finished: true, stopped: false },
        { kind: 'deactivated', block: 'u1' },
      ],
    ],
    ['a stop', ['flow.stopped'], [{ kind: 'flow', stopped: true }]],
    [
      'an exit by two names, and the branch behind it',
      ['block.exited hello complete+dismiss', 'branch.taken fork false', 'block.entered hello'],
      [
        { kind: 'exited', block: 'u1' },
        { kind: 'transitioned', block: 'u1', name: 'complete' },
        { kind: 'transitioned', block: 'u1', name: 'dismiss' },
        { kind: 'branched', block: 'u2', outcome: false },
        { kind: 'entered', block: 'u1' },
      ],
    ],
    [
      'an exit to a split, which has a way and nobody stops at it (K4)',
      ['block.exited hello complete', 'split.taken s short'],
      [
        { kind: 'exited', block: 'u1' },
        { kind: 'transitioned', block: 'u1', name: 'complete' },
        { kind: 'transitioned', block: 's', name: 'short' },
      ],
    ],
    [
      'what concerns nobody outside',
      [],
      [
        { kind: 'received', gate: 'g', from: 'start' },
        { kind: 'passed', gate: 'g' },
        { kind: 'effected', block: 'w' },
        { kind: 'dropped', block: 'u1' },
      ],
    ],
  ])('as %s (E5)', (_, expected, changes) => {
    expect(told({ kind: 'stop' }, ...changes)).toEqual(expected);
  });

  test.each<[Cause | { kind: 'restored' }, string]>([
    [{ kind: 'migrated', from: 1, strategy: 'carry-over' }, 'flow.migrated'],
    [{ kind: 'edited' }, 'flow.edited'],
    [{ kind: 'restored' }, 'flow.restored'],
  ])('as %j without what was only taken over (E5)', (cause, type) => {
    expect(told(cause, carried)).toEqual([type]);
    expect(told(cause, { kind: 'flow', ...flags })).toEqual([type]);
    expect(told(cause, { kind: 'flow', started: true }, { kind: 'entered', block: 'u1' })).toEqual([
      type,
      'flow.started',
      'block.entered hello',
    ]);
  });

  test('with the answer where its block was left, the first time (Z3)', () => {
    const data = { score: 9 };
    const events = tell(
      stepOf({ kind: 'transition', block: 'u1', names: ['complete'], data }, [
        { kind: 'exited', block: 'u1' },
        { kind: 'transitioned', block: 'u1', name: 'complete' },
        { kind: 'entered', block: 'u1' },
        { kind: 'exited', block: 'u1' },
        { kind: 'exited', block: 'u2' },
      ]),
    );
    expect(events.map((event) => [event.type, event.data])).toEqual([
      ['block.exited', data],
      ['block.entered', undefined],
      ['block.exited', undefined],
      ['block.exited', undefined],
    ]);
    expect(events.filter((event) => !isDocumented(event))).toEqual([]);
    expect(isDocumented({ ...events[1], data })).toBe(false);
  });

  test('with until when a delay waits, and that it went on by itself (Z4, E5)', () => {
    const cause = { kind: 'continue', block: 'd' } as const;
    const changes: Change[] = [
      { kind: 'waited', block: 'd' },
      { kind: 'waiting', block: 'd', until: Date.UTC(2026, 1, 5) },
    ];
    const event = { format: 2 as const, cause, changes };
    const left = { type: 'delay.left', block: 'd', command: 'continue', by: 'delay' };
    expect(tell(stepOf(cause, changes, { event, origin: 'delay' }))).toMatchObject([
      left,
      { type: 'delay.entered', block: 'd', until: '2026-02-05T00:00:00.000Z' },
    ]);
  });

  test('as caused by the end of the flow, not by the read that noticed it (Z8, E5)', () => {
    const ended = stepOf({ kind: 'ended' }, [{ kind: 'flow', stopped: true }], { origin: 'read' });
    const events = tell({ ...ended, event: { ...ended.event, format: 2 } });
    expect(events).toMatchObject([{ type: 'flow.stopped', command: 'ended', by: 'ended' }]);
  });

  test('without command and origin where they were not recorded (E5)', () => {
    const [event] = tell(
      stepOf({ kind: 'stop' }, [{ kind: 'flow', stopped: true }], { origin: null, group: null }),
    );
    expect(Object.keys(event!)).not.toEqual(expect.arrayContaining(['command']));
    expect(event).not.toHaveProperty('by');
    expect(event).not.toHaveProperty('group');
  });

  test('with ids that stay, and differ from those of any other (E5)', () => {
    const changes: Change[] = [{ kind: 'cleared' }, { kind: 'flow', started: true }];
    const ids = (more: Partial<LogStep>) =>
      tell(stepOf({ kind: 'stop' }, changes, more)).map(({ id }) => id);
    expect(ids({})).toEqual(ids({}));
    const all = [
      ids({}),
      ids({ place: '732' }),
      ids({ revision: 8 }),
      ids({ version: 4 }),
      ids({ flow: 'tours' }),
    ].flat();
    expect(new Set(all).size).toBe(10);
  });
});

/** Changes as the engine may record them. */
const change = fc.oneof(
  fc.constantFrom<Change>(
    { kind: 'cleared' },
    carried,
    { kind: 'flow', ...flags },
    { kind: 'passed', gate: 'g' },
  ),
  fc.record({ kind: fc.constant('flow' as const), started: fc.boolean(), finished: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom('entered', 'exited', 'dropped', 'waited'),
    block: fc.constantFrom('u1', 'gone'),
  }),
  fc.record({
    kind: fc.constant('transitioned' as const),
    block: fc.constant('u1'),
    name: fc.string(),
  }),
  fc.record({
    kind: fc.constant('waiting' as const),
    block: fc.constant('d'),
    until: fc.integer({ min: 0, max: 2 ** 42 }),
  }),
  fc.record({
    kind: fc.constant('branched' as const),
    block: fc.constant('u2'),
    outcome: fc.boolean(),
  }),
);
const cause = fc.constantFrom<Cause>(
  { kind: 'start', force: false },
  { kind: 'edited' },
  { kind: 'migrated', from: 1, strategy: 'restart-all' },
);

test('whatever is told is what the schema says (E5)', () => {
  fc.assert(
    fc.property(cause, fc.array(change), fc.boolean(), (kind, changes, isOld) => {
      const events = tell(stepOf(kind, changes, isOld ? { origin: null, group: null } : {}));
      for (const event of events)
        expect(isDocumented(event) ? [] : isDocumented.errors).toEqual([]);
    }),
  );
});

test('the schema refuses what is not told', () => {
  const [event] = tell(stepOf({ kind: 'stop' }, [{ kind: 'flow', stopped: true }]));
  for (const more of [{ type: 'flow.flown' }, { uid: 'u1' }, { version: -1 }, { block: 'hello' }])
    expect(isDocumented({ ...event, ...more })).toBe(false);
});

test('examples/event.schema.json is what the code says (E5); `npm run generate` writes it', () => {
  expect(JSON.parse(readFileSync('examples/event.schema.json', 'utf8'))).toEqual(EVENT_SCHEMA);
});

test('what a newer release recorded is never passed over (R17)', () => {
  const newer = { kind: 'dreamt', block: 'u1' } as unknown as Change;
  expect(() => told({ kind: 'stop' }, newer)).toThrow(
    expect.objectContaining({ code: 'flow.newer' }),
  );
  const event = {
    ...stepOf({ kind: 'stop' }, []).event,
    format: 3,
  } as unknown as LogStep['event'];
  expect(() => tell(stepOf({ kind: 'stop' }, [], { event }))).toThrow('newer release');
});

test('docs/events.md tells of every type (E5)', () => {
  const rows = readFileSync('docs/events.md', 'utf8').matchAll(/^\|((?: `\w+\.\w+`,?)+) +\|/gm);
  const told = [...rows].flatMap(([, types]) => types!.match(/\w+\.\w+/g)!);
  expect(told.sort()).toEqual([...EVENT_TYPES].sort());
});
