import {
  type Context,
  dateWithZone,
  EMPTY_STATE,
  exposedBlocks,
  hasEnded,
  isActive,
  isRunning,
  isUntouched,
  type MigrationStrategy,
  waitingForDone,
} from '../../engine/index.js';
import type { Advance } from '../../states/command/advance.js';
import { evaluateCondition, type Expression } from '../../targeting/index.js';
import type { Timeline } from '../reader/timeline.js';
import { describeCondition, describeGroup } from './explain-condition.js';
import type { ExplainedSplit, Explanation, WaitingGate } from './explanation.js';
import type { ExplainedWait } from './explain-wait.js';
import type { ExplainInput, ExplainQuery, RecordedEvent } from './load-explain-input.js';

/** What is known and what the engine makes of it. */
export interface EvaluatedRead
  extends ExplainInput, Pick<Explanation, 'wouldStart' | 'waits' | 'gates' | 'items' | 'branches'> {
  readonly input: ExplainQuery;
  readonly timeline: Timeline<RecordedEvent>;
  /** What a read does before it starts the flow: migration, or what an edit requests (S27, S28). */
  readonly current: Advance;
  readonly splits: readonly ExplainedSplit[];
  readonly delays: NonNullable<Explanation['delays']>;
  readonly goal?: Expression;
}

/** What people call the next read of the flow (T16). */
const NEXT_TIME = 'the next time the application asks';

type UnevaluatedRead = ExplainInput & Pick<EvaluatedRead, 'input'>;

/** In sentences: whether they are known, which version counts, how far they came, what comes next. */
export function describeReasons(read: EvaluatedRead | UnevaluatedRead): string[] {
  const { user } = read.input;
  if (read.isArchived)
    return [
      `${read.flowName} is archived: clients are told that there is no such flow, until its file is applied again`,
    ];
  if (!('current' in read) || !read.context)
    return [
      `${JSON.stringify(user)} was never identified in this environment: reads and commands are refused with 404 until it is`,
    ];
  return [
    describeVersion(read),
    ...describeStored(read),
    ...describeFlags(read),
    ...describeEntering(read, read.context),
    ...describePlace(read),
    ...describeDone(read, read.context),
    ...describeGoal(read, read.context),
  ];
}

/** One of the reasons: why the next read starts nothing for a user who is not in the flow (T14). */
export function findDecidingReason(read: EvaluatedRead, context: Context): string | undefined {
  const { current, input, latest, stored, waits, wouldStart } = read;
  if (read.isArchived) return describeReasons(read)[0];
  if (latest === null && input.version === undefined) return describeVersion(read);
  if (wouldStart || isRunning(current.state)) return undefined;
  if (waits) return describeNotNow(waits);
  const flag = (['finished', 'stopped'] as const).find((name) => stored?.state[name]);
  const told = describeFlags(read).find((reason) => flag && reason.startsWith(flag));
  return told ?? describeEntering(read, context)[0];
}

function describeVersion(read: EvaluatedRead): string {
  const { latest, input, newer } = read;
  const { version } = read.flow;
  const counts = input.version === undefined;
  if (latest === null && counts && read.highest !== null)
    return `${read.flowName} is not released here: clients that ask for latest get 404 before \`waymark flow pin\` names a version; this is about the draft, version 0`;
  if (version === 0 && latest === null && counts)
    return `${read.flowName} has no committed version: clients that ask for latest get 404; this is about the draft, version 0`;
  if (version === 0)
    return `this is about the draft, version 0, which only clients that ask for it see`;
  const text = counts
    ? `latest is version ${version}`
    : `this is about version ${version}; latest is ${latest}`;
  const which = `${text}${describePin(read)}`;
  return newer === null
    ? which
    : `${which}; the user has been in version ${newer} too, which applications that ask for it see instead`;
}

/** Why `latest` is not the highest commit, or will not follow it (S34). */
function describePin({ pinned, highest }: EvaluatedRead): string {
  return pinned === null
    ? ''
    : `, at which this environment is held; the newest version is ${highest}`;
}

/** What a move to a newer version does, for people who know no name of a strategy (T16). */
const MOVED: Readonly<Record<MigrationStrategy, string>> = {
  'carry-over': 'keeping their place',
  'restart-in-progress': 'starting again if in progress',
  'restart-all': 'starting again',
  'stop-in-progress': 'stopped there if in progress',
};

function describeStored({ flow, stored, current }: EvaluatedRead): string[] {
  if (!stored) return ['the user has never been in this flow'];
  if (stored.version !== flow.version) {
    const met = `the user is in version ${stored.version}, and moves to version ${flow.version} ${NEXT_TIME}, ${MOVED[flow.strategy]}`;
    return [
      current.events.length > 0 ? met : `${met}; nothing of it is left in version ${flow.version}`,
    ];
  }
  if (stored.edition !== flow.edition && current.events.length > 0)
    return [`the draft was edited since, and the state is fitted to it ${NEXT_TIME}`];
  return [];
}

function describeFlags(read: EvaluatedRead): string[] {
  const { timeline, current, stored } = read;
  return (['started', 'stopped', 'finished'] as const)
    .filter((flag) => current.state[flag])
    .map((flag) => {
      const since = stored?.state[flag] ? timeline.flags.get(flag) : undefined;
      if (!stored?.state[flag]) return `${flag} ${NEXT_TIME}, ${describeNext(current)}`;
      return since
        ? `${flag} ${atTime(since.at)} by ${describeCause(since, read)}`
        : `${flag}; the event that tells when is pruned`;
    });
}

/** By what a flag changes at the next read. */
function describeNext({ events }: EvaluatedRead['current']): string {
  const kind = events.at(-1)?.cause.kind;
  if (kind === 'condition') return 'as its conditions hold';
  return kind === 'ended' ? 'as the flow has ended' : 'with the move to this version';
}

function describeEntering(
  { flow: { compiled }, current: { state }, wouldStart, waits, input }: EvaluatedRead,
  context: Context,
): string[] {
  const { target } = compiled;
  if (hasEnded(compiled, context))
    return [
      `it ended ${dateWithZone(compiled.definition.end!)}: nothing starts in it, and what runs is stopped ${NEXT_TIME}`,
    ];
  if (!isUntouched(state)) {
    const entered = isRunning(state)
      ? 'in progress: once in, a user stays in, whatever the targeting says now'
      : 'it does not start again by itself; a reset would start it';
    return [entered];
  }
  const { target: dates } = compiled.definition;
  if (context.now < compiled.from)
    return [`it does not start by itself before ${dateWithZone(dates.from!)}`];
  if (context.now >= compiled.until)
    return [`it no longer starts by itself, since ${dateWithZone(dates.until!)}`];
  if (target === 'all' && waits) return ['it is for all users', describeNotNow(waits)];
  if (target === 'all') return [`it starts ${NEXT_TIME}: it is for all users`];
  if (target === 'api-only')
    return [
      'it does not start by itself: it is api-only, so only a start or reset with force, or a flow trigger, starts it',
    ];
  const because = describeParts(target, context, input);
  const condition = quoteOr('its condition', target, input);
  if (waits) return [`${condition} holds`, ...because, describeNotNow(waits)];
  return wouldStart
    ? [`it starts ${NEXT_TIME}: ${condition} holds`, ...because]
    : [`it does not start for this user: ${condition} does not hold`, ...because];
}

/**
 * What it comes to, part by part; only the group that it means where conditions are shown beside
 * the sentences.
 */
const describeParts = (condition: Expression, context: Context, input: ExplainQuery): string[] => [
  ...describeGroup(condition, context),
  ...(input.quotes === false ? [] : describeCondition(condition, context, input.values)),
];

const quoteOr = (name: string, { source }: Expression, { quotes }: ExplainQuery): string =>
  quotes === false ? name : source.trim();

const describeNotNow = (waits: ExplainedWait): string =>
  `it does not start now, since ${describeWait(waits)}`;

/** Why a flow that is ready to start does not. */
export function describeWait({ group, because, until }: ExplainedWait): string {
  const end = until ? `; time alone lets it start ${atTime(until)}` : '';
  return `it waits in the attention group ${group}: ${because}${end}`;
}

/** What the active blocks wait for that are left by themselves (Z1). */
const describeDone = (
  { flow: { compiled }, current: { state }, nameOf, input }: EvaluatedRead,
  context: Context,
): string[] =>
  waitingForDone(compiled, state).flatMap(({ block, when }) => [
    `${nameOf(block.id)} is done by itself once ${quoteOr('its condition', when, input)} holds`,
    ...describeParts(when, context, input),
  ]);

function describeGoal({ goal, input }: EvaluatedRead, context: Context): string[] {
  if (!goal) return [];
  const told = `its goal ${evaluateCondition(goal, context) ? 'holds' : 'does not hold'}`;
  const quoted = input.quotes === false ? told : `${told}: ${goal.source.trim()}`;
  return [quoted, ...describeParts(goal, context, input)];
}

/** Which blocks the user is in, what these and gates wait for, and which way branches sent them. */
function describePlace(read: EvaluatedRead): string[] {
  const { nameOf } = read;
  return [
    ...describeActive(read),
    ...read.items
      .filter(({ left }) => left.length > 0)
      .map(({ block, left }) => `${nameOf(block)} waits for ${left.map(nameOf).join(', ')}`),
    ...read.gates.map((gate) => describeGate(gate, nameOf)),
    ...read.delays.map(
      ({ block, until }) => `delay ${nameOf(block)} goes on by itself ${atTime(until)}`,
    ),
    ...read.splits.map((split) => describeSplit(split, nameOf)),
    ...read.branches.map(
      ({ block, outcome, at }) => `branch ${nameOf(block)} was ${outcome} ${atTime(at)}`,
    ),
  ];
}

/** Items are named with their container. */
function describeActive({ flow, stored, current, timeline, nameOf }: EvaluatedRead): string[] {
  const active = exposedBlocks(flow.compiled).filter(
    (block) => block.kind !== 'item' && isActive(current.state, block.uid),
  );
  return active.map(({ uid, id }) => {
    const since = timeline.active.get(uid)?.at;
    if (!isActive(stored?.state ?? EMPTY_STATE, uid))
      return `${nameOf(id)} becomes active ${NEXT_TIME}`;
    return `${nameOf(id)} is active${since ? ` since ${atTime(since).slice(3)}` : ''}`;
  });
}

function describeGate(
  { block, received, waitsFor }: WaitingGate,
  nameOf: ExplainInput['nameOf'],
): string {
  const missing = waitsFor.map(
    (input) =>
      `${nameOf(input.block)}, which ${input.canCome ? 'can still come' : 'cannot come any more without a reset'}`,
  );
  return `gate ${nameOf(block)} has heard from ${received.map(nameOf).join(', ')} and waits for ${missing.join('; ')}`;
}

function describeSplit(
  { block, isTaken, way, share, ofAll }: ExplainedSplit,
  nameOf: ExplainInput['nameOf'],
): string {
  const sent = isTaken ? 'sent the user' : 'would send the user';
  return `split ${nameOf(block)} ${sent} along ${way}, whose share is ${share} of ${ofAll}`;
}

const ORIGINS: Readonly<Record<string, string>> = {
  read: 'a read',
  request: 'a request of the application',
  trigger: 'a trigger of another flow',
  delay: 'a delay',
  operator: 'an operator',
};

/** What brought something about, as in `stopped by …`. */
function describeCause(
  { event: { cause }, origin }: RecordedEvent,
  { flow: { compiled }, nameOf }: ExplainInput,
): string {
  const who = origin === null ? '' : ` of ${ORIGINS[origin] ?? origin}`;
  switch (cause.kind) {
    case 'transition':
      return `taking ${cause.names.join(', ')} on ${nameOf(compiled.byUid.get(cause.block)?.id ?? 'a block that is gone')}`;
    case 'continue':
      return `the end of the delay ${nameOf(compiled.byUid.get(cause.block)?.id ?? 'that is gone')}`;
    case 'migrated':
      return `being taken over from version ${cause.from} (${cause.strategy})`;
    case 'ended':
      return 'the end of the flow';
    case 'condition':
      return 'a condition by which a block is done';
    case 'edited':
      return 'an edit of the draft';
    case 'start':
      if (origin === 'read') return 'qualifying when the application asked';
      return `a start${cause.force ? ' with force' : ''}${who}`;
    default:
      return `a ${cause.kind}${who}`;
  }
}

/** A moment as in `at 2026-05-01 12:00:05 UTC`. */
const atTime = (at: Date): string => `at ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
