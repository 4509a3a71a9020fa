import type { Context, FlowDefinition } from '@waymark/domain/engine';
import type { SimulatedEffect, SimulatedStep, Simulation } from '@waymark/domain/analysis';
import type { Command } from '../../command-line/command.js';
import { parseMoment } from '../../command-line/arguments.js';
import type { Session } from '../../command-line/session.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';
import { readFlowFiles, refuseProblems } from './files/read-flow-files.js';
import { flagsText } from '../../output/plain-text.js';

interface SimulateArguments {
  user?: string;
  properties?: string;
  at?: Date;
  force?: boolean;
}

export function addSimulateCommand(flow: Command): void {
  flow
    .command('simulate <flow> <steps...>')
    .description('walk through a flow, or through a flow file, as users would; nothing is written')
    .option('--user <id>', 'with the properties of that user')
    .option('--properties <json>', 'with these properties, on top of those of the user', '{}')
    .option(
      '--at <time>',
      'as if it were then: 2026-05-01, 2026-05-01T12:00Z; now without it',
      parseMoment,
    )
    .option('--force', 'start and reset whatever the targeting')
    .addHelpText(
      'after',
      '\nA step is read, start, reset, stop, finish or BLOCK:NAME[,NAME], such as welcome:complete.',
    )
    .operation(async (session, flow: string, steps: string[], options: SimulateArguments) => {
      const definition = isFile(flow)
        ? await readDefinition(session, flow)
        : await loadDefinition(session, flow);
      const context = await contextOf(session, options);
      const { simulateFlow } = await import('@waymark/domain/analysis');
      const simulation = simulateFlow({
        definition,
        steps,
        context,
        force: options.force === true,
      });
      session.print(simulation, describeSimulation(simulation));
    });
}

/** Each step with what came of it, one below the other. */
function describeSimulation({ flow, steps }: Simulation): string {
  return [`${flow}, simulated; nothing was written`, ...steps.flatMap(describeStep)].join('\n');
}

function describeStep({
  step,
  tookEffect,
  why,
  changes,
  active,
  state,
  effects,
}: SimulatedStep): string[] {
  if (!tookEffect) return [`${step}: no effect, since ${why}`];
  const branches = changes.flatMap((change) =>
    change.kind === 'branched' ? `${change.block} is ${change.outcome}` : [],
  );
  return [
    `${step}: ${flagsText(state)}; active: ${active.join(', ') || 'nothing'}`,
    ...describeMoves(changes),
    ...(branches.length > 0 ? [`  branches: ${branches.join(', ')}`] : []),
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

/** Identifiers of flows have neither dots nor slashes (W7). */
const isFile = (name: string): boolean => /[./\\]/.test(name);

async function readDefinition(session: Session, file: string): Promise<FlowDefinition> {
  const files = await readFlowFiles([file]);
  await refuseProblems(session, files, ', nothing was simulated');
  const { assignUids } = await import('@waymark/domain/flows');
  let made = 0;
  return assignUids(files[0]!.draft!, [], () => `uid-${++made}`).definition;
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
  { user, properties = '{}', at = new Date() }: SimulateArguments,
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
  };
  return { now, user: acting, group: null, groups: known?.groups ?? [] };
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

function parseProperties(text: string): Context['user']['properties'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandRefusal(`--properties is not JSON: ${(error as Error).message}`, {
      status: 'usage',
      cause: error,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Context['user']['properties'];
  throw new CommandRefusal('--properties has to be a JSON object, such as {"plan": "pro"}', {
    status: 'usage',
  });
}
