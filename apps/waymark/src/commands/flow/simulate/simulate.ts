import type { Context, FlowDefinition } from '@waymark/domain/engine';
import type { Command } from '../../../command-line/command.js';
import { parseMoment } from '../../../command-line/arguments.js';
import type { Session } from '../../../command-line/session.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import { describeSimulation } from './describe-simulation.js';
import { readFlowFiles, refuseProblems } from '../files/read-flow-files.js';

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
    .option('--at <time>', 'as if it were then: 2026-05-01, 2026-05-01T12:00Z; now without it', parseMoment)
    .option('--force', 'start and reset whatever the targeting')
    .addHelpText('after', '\nA step is read, start, reset, stop, finish or BLOCK:NAME[,NAME], such as welcome:complete.')
    .operation(async (session, flow: string, steps: string[], options: SimulateArguments) => {
      const definition = isFile(flow) ? await readDefinition(session, flow) : await loadDefinition(session, flow);
      const context = await contextOf(session, options);
      const { simulateFlow } = await import('@waymark/domain/impact');
      const simulation = simulateFlow({ definition, steps, context, force: options.force === true });
      session.print(simulation, describeSimulation(simulation));
    });
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

/** Somebody who was identified at that very moment, unless it is a user who is there. */
async function contextOf(session: Session, { user, properties = '{}', at = new Date() }: SimulateArguments): Promise<Context> {
  const now = at.getTime();
  const known = user === undefined ? null : await loadKnown(session, user, now);
  const subject = known?.user ?? { identifier: 'somebody', properties: {}, createdAt: now, updatedAt: now };
  const acting = { ...subject, properties: { ...subject.properties, ...parseProperties(properties) } };
  return { now, user: acting, group: null, groups: known?.groups ?? [] };
}

async function loadKnown(session: Session, user: string, now: number): Promise<Context> {
  const { loadContext } = await import('@waymark/domain/impact');
  const { userId } = await import('@waymark/domain/users');
  const { dataSource, environmentId } = await session.openEnvironment();
  const known = await loadContext(dataSource, userId(environmentId, user), null, now);
  if (!known) throw new CommandRefusal(`user ${JSON.stringify(user)} was never identified in this environment`);
  return known;
}

function parseProperties(text: string): Context['user']['properties'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandRefusal(`--properties is not JSON: ${(error as Error).message}`, { status: 'usage', cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Context['user']['properties'];
  throw new CommandRefusal('--properties has to be a JSON object, such as {"plan": "pro"}', { status: 'usage' });
}
