import type { Context, FlowDefinition } from '@waymark/domain/engine';
import type {
  GroupHistory,
  SimulatedEffect,
  SimulatedStep,
  Simulation,
} from '@waymark/domain/analysis';
import type { SegmentTexts } from '@waymark/domain/targeting';
import type { Command } from '../../command-line/command.js';
import { collect, parseMoment } from '../../command-line/arguments.js';
import type { Session } from '../../command-line/session.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';
import { readFlowFiles, refuseProblems } from './files/read-flow-files.js';
import { readSharedFile } from './files/read-shared-file.js';
import { parseEvents, parseObject, timeOf, wrongUsage } from './parse-simulated.js';
import { flagsText } from '../../output/plain-text.js';

interface SimulateArguments {
  user?: string;
  properties?: string;
  events?: string;
  at?: Date;
  force?: boolean;
  history?: string;
  attention?: string;
  segments?: string;
  way: string[];
}

export function addSimulateCommand(flow: Command): void {
  flow
    .command('simulate <flow> <steps...>')
    .description('walk through a flow, or through a flow file, as users would; nothing is written')
    .option('--user <id>', 'with the properties of that user')
    .option('--properties <json>', 'with these properties, on top of those of the user', '{}')
    .option(
      '--events <json>',
      'as if the user had done this, on top of what they did: {"Invited": 2}, or {"Invited": {"count": 2, "first": TIME, "last": TIME}}',
    )
    .option(
      '--at <time>',
      'as if it were then: 2026-05-01, 2026-05-01T12:00Z; now without it',
      parseMoment,
    )
    .option('--force', 'start and reset whatever the targeting')
    .option(
      '--history <json>',
      'what happened in the attention group of the flow: {"inProgress": {"FLOW": TIME}, "starts": [TIME], "ended": TIME}; that of the user without it',
    )
    .option(
      '--attention <file>',
      'with the rules of this file; without it, with those that were applied',
    )
    .option(
      '--segments <file>',
      'a flow file with the segments of this file; without it, with those that were applied',
    )
    .option(
      '--way <split:way>',
      'along that way of a split, such as offer:short; may be repeated. Without it, the one of that user',
      collect,
      [],
    )
    .addHelpText(
      'after',
      '\nA step is read, start, reset, stop, finish or BLOCK:NAME[,NAME], such as welcome:complete; "+2 days" lets time pass.',
    )
    .operation(simulate);
}

async function simulate(
  session: Session,
  flow: string,
  steps: string[],
  options: SimulateArguments,
): Promise<void> {
  const definition = isFile(flow)
    ? await readDefinition(session, flow, options.segments)
    : await loadDefinition(session, flow);
  const context = await contextOf(session, options);
  const attention = await attentionOf(session, definition, options);
  const { simulateFlow } = await import('@waymark/domain/analysis');
  const simulation = simulateFlow({
    definition,
    steps,
    context,
    force: options.force === true,
    ways: Object.fromEntries(options.way.map(parseWay)),
    attention,
  });
  session.print(simulation, describeSimulation(simulation));
}

/** Each step with its result, one below the other. */
function describeSimulation({ flow, steps }: Simulation): string {
  return [`${flow}, simulated; nothing was written`, ...steps.flatMap(describeStep)].join('\n');
}

function describeStep({
  step,
  tookEffect,
  why,
  changes,
  active,
  delays = {},
  state,
  effects,
}: SimulatedStep): string[] {
  if (!tookEffect) return [`${step}: no effect, since ${why}`];
  const branches = changes.flatMap((change) =>
    change.kind === 'branched' ? `${change.block} is ${change.outcome}` : [],
  );
  const left = new Set(changes.flatMap((one) => (one.kind === 'exited' ? one.block : [])));
  const ways = changes.flatMap((change) =>
    change.kind === 'transitioned' && !left.has(change.block)
      ? `${change.block} goes ${change.name}`
      : [],
  );
  return [
    `${step}: ${flagsText(state)}; active: ${active.join(', ') || 'nothing'}`,
    ...describeMoves(changes),
    ...(ways.length > 0 ? [`  ways: ${ways.join(', ')}`] : []),
    ...(branches.length > 0 ? [`  branches: ${branches.join(', ')}`] : []),
    ...Object.entries(delays).map(
      ([block, until]) => `  ${block} waits until ${new Date(until).toISOString()}`,
    ),
    ...effects.map((effect) => `  ${describeEffect(effect)}`),
  ];
}

/** Which blocks were left, and which were come to. */
function describeMoves(changes: SimulatedStep['changes']): string[] {
  const moved = (kind: 'exited' | 'entered'): string[] =>
    changes.flatMap((change) => (change.kind === kind ? change.block : []));
  const told = [
    ...(moved('exited').length > 0 ? [`left ${moved('exited').join(', ')}`] : []),
    ...(moved('entered').length > 0 ? [`entered ${moved('entered').join(', ')}`] : []),
  ];
  return told.length === 0 ? [] : [`  ${told.join('; ')}`];
}

function describeEffect(effect: SimulatedEffect): string {
  if (effect.kind === 'flow-trigger')
    return `${effect.block} would ${effect.intent} ${effect.flow} (${effect.version})`;
  const body = effect.body === undefined ? '' : ` with ${JSON.stringify(effect.body)}`;
  return `${effect.block} would send a POST to ${effect.url}${body}`;
}

/** Neither identifiers nor names of ways have colons (S3, W7). */
function parseWay(text: string): [split: string, way: string] {
  const at = text.indexOf(':');
  if (at < 1)
    throw new CommandRefusal(`${text} is not a way; write SPLIT:WAY, such as offer:short`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Identifiers of flows have neither dots nor slashes (W7). */
const isFile = (name: string): boolean => /[./\\]/.test(name);

async function readDefinition(
  session: Session,
  file: string,
  segmentsFile: string | undefined,
): Promise<FlowDefinition> {
  let files = await readFlowFiles([file]);
  await refuseProblems(session, files, ', nothing was simulated');
  const { mentionsSegments } = await import('@waymark/domain/engine');
  if (mentionsSegments(files[0]!.draft!)) {
    files = await readFlowFiles([file], { segments: await segmentsOf(session, segmentsFile) });
    await refuseProblems(session, files, ', nothing was simulated');
  }
  const { assignUids } = await import('@waymark/domain/flows');
  let made = 0;
  return assignUids(files[0]!.draft!, [], () => `uid-${++made}`).definition;
}

async function segmentsOf(session: Session, file: string | undefined): Promise<SegmentTexts> {
  const { SEGMENTS_FILE } = await import('@waymark/domain/flows');
  if (file !== undefined) return readSharedFile(session, SEGMENTS_FILE, file);
  return SEGMENTS_FILE.load((await session.openOperatorDatabase()).manager);
}

/** The draft, version 0. */
async function loadDefinition(session: Session, flow: string): Promise<FlowDefinition> {
  const { loadFlowVersion } = await import('@waymark/domain/flows');
  const { manager } = await session.openOperatorDatabase();
  return (await loadFlowVersion(manager, flow, 0)).definition;
}

/** A user identified at that moment, unless an existing one is named. */
async function contextOf(
  session: Session,
  { user, properties = '{}', events = '{}', at = new Date() }: SimulateArguments,
): Promise<Context> {
  const now = at.getTime();
  const known = user === undefined ? null : await loadKnown(session, user, now);
  const subject = known?.user ?? {
    identifier: 'somebody',
    properties: {},
    createdAt: now,
    updatedAt: now,
  };
  const acting = {
    ...subject,
    properties: { ...subject.properties, ...parseProperties(properties) },
    events: { ...subject.events, ...parseEvents(events, now) },
  };
  const userId = known?.userId ?? 'somebody';
  return { now, userId, user: acting, group: null, groups: known?.groups ?? [] };
}

async function loadKnown(session: Session, user: string, now: number): Promise<Context> {
  const { loadContext } = await import('@waymark/domain/analysis');
  const { userId } = await import('@waymark/domain/users');
  const { dataSource, environmentId } = await session.openEnvironment();
  const known = await loadContext(dataSource, userId(environmentId, user), null, now);
  if (!known)
    throw new CommandRefusal(
      `user ${JSON.stringify(user)} was never identified in this environment`,
    );
  return known;
}

/** Where nothing happened before, nothing waits, whatever the rules. */
async function attentionOf(
  session: Session,
  { attention }: FlowDefinition,
  { user, history, attention: file }: SimulateArguments,
): Promise<GroupHistory | undefined> {
  const group = attention?.group;
  const told = history === undefined ? undefined : parseHistory(history);
  if (group === undefined || (user === undefined && !told)) return undefined;
  const { loadGroupHistory } = await import('@waymark/domain/analysis');
  const { ATTENTION_FILE } = await import('@waymark/domain/flows');
  const groups =
    file === undefined
      ? await ATTENTION_FILE.load((await session.openOperatorDatabase()).manager)
      : await readSharedFile(session, ATTENTION_FILE, file);
  const rules = groups.get(group) ?? {};
  if (told) return { group, rules, ...told };
  const { userId } = await import('@waymark/domain/users');
  const { dataSource, environmentId } = await session.openEnvironment();
  const own = await loadGroupHistory(dataSource, userId(environmentId, user!), group);
  return own && { ...own, rules };
}

const HISTORY =
  '--history has to be like {"inProgress": {"tips": "2026-05-01"}, "starts": ["2026-05-01T12:00Z"], "ended": "3d"}, each left out where there is none';

function parseHistory(text: string): Pick<GroupHistory, 'touched' | 'starts' | 'ended'> {
  const {
    inProgress = {},
    starts = [],
    ended,
    ...others
  } = parseObject('--history', text, HISTORY);
  const isMap = typeof inProgress === 'object' && inProgress !== null;
  if (!isMap || !Array.isArray(starts) || Object.keys(others).length > 0) throw wrongUsage(HISTORY);
  const touched = Object.entries(inProgress).map(
    ([flow, at]) => [flow, timeOf(at, HISTORY)] as const,
  );
  return {
    touched: new Map(touched),
    starts: starts.map((at) => timeOf(at, HISTORY)),
    ended: ended === undefined ? null : timeOf(ended, HISTORY),
  };
}

const parseProperties = (text: string) =>
  parseObject(
    '--properties',
    text,
    '--properties has to be a JSON object, such as {"plan": "pro"}',
  ) as Context['user']['properties'];
