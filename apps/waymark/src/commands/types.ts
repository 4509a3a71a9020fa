import { access, readFile, writeFile } from 'node:fs/promises';
import type { TypedFlow } from '@waymark/domain/flow-files';
import type { Command } from '../command-line/command.js';
import type { Session } from '../command-line/session.js';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { readFlowFiles, refuseProblems } from './flow/files/read-flow-files.js';

interface Options {
  /** True for the file that it is usually called. */
  readonly output?: string | true;
  readonly check?: boolean;
}

/**
 * No module of an application is called so, which TypeScript would take the types for or look at
 * instead.
 */
const USUAL_FILE = 'waymark-flows.d.ts';

export function addTypesCommand(program: Command): void {
  program
    .command('types <flows...>')
    .description(
      'types of flows for @waymark/client: of files, or of stored flows as NAME or NAME@VERSION',
    )
    .option('-o, --output [file]', `write there instead of printing; ${USUAL_FILE} without a name`)
    .option('--check', 'write nothing, and fail where the file of --output differs')
    .operation(async (session, names: string[], { output: given, check }: Options) => {
      const output = given === true ? USUAL_FILE : given;
      if (check && output === undefined)
        throw new CommandRefusal('--check needs --output: the file to compare with', {
          status: 'usage',
        });
      const text = await describe(session, names);
      if (output === undefined) session.printFile({ types: text }, text.trimEnd());
      else if (check) await compare(session, output, text);
      else {
        await writeFile(output, text);
        session.print(await withWarning(session, output), `${output} is written`);
      }
    });
}

async function describe(session: Session, names: readonly string[]): Promise<string> {
  const { describeFlowTypes } = await import('@waymark/domain/flow-files');
  const files = names.filter(isFile);
  const read = await readFlowFiles(files);
  await refuseProblems(session, read, '');
  const flows: TypedFlow[] = [];
  for (const name of names)
    flows.push(isFile(name) ? read[files.indexOf(name)]!.draft! : await load(session, name));
  return describeFlowTypes(flows);
}

/** No identifier of a flow has a dot or a slash. */
const isFile = (name: string): boolean => /[./\\]/.test(name);

async function load(session: Session, name: string): Promise<TypedFlow> {
  const [, flow, version = 'latest'] =
    /^([^@]+)(?:@(\d{1,9}|latest|uncommitted))?$/.exec(name) ?? [];
  if (flow === undefined)
    throw new CommandRefusal(`${name} is neither a file nor NAME or NAME@VERSION of a flow`, {
      status: 'usage',
    });
  const { manager } = await session.openOperatorDatabase();
  const { loadFlowVersion, loadLatestVersion } = await import('@waymark/domain/flows');
  const number =
    version === 'latest'
      ? await loadLatestVersion(manager, flow)
      : version === 'uncommitted'
        ? 0
        : Number(version);
  if (number === null)
    throw new CommandRefusal(`${flow} was never committed: name its version, ${flow}@0`);
  return (await loadFlowVersion(manager, flow, number)).definition;
}

async function compare(session: Session, output: string, text: string): Promise<void> {
  const before = await readFile(output, 'utf8').catch(() => undefined);
  if (before !== text)
    throw new CommandRefusal(
      `${output} ${before === undefined ? 'is not there' : 'differs'}: make it again without --check`,
    );
  session.print(await withWarning(session, output), `${output} is what the flows say`);
}

/** `src/waymark.d.ts` beside a module `src/waymark` is not read as what it is. */
async function withWarning(session: Session, output: string): Promise<object> {
  const [, name] = /^(.*)\.d\.ts$/.exec(output) ?? [];
  if (name === undefined) return { output };
  for (const ending of ['ts', 'tsx', 'js', 'jsx']) {
    const module = `${name}.${ending}`;
    const isThere = await access(module).then(
      () => true,
      () => false,
    );
    if (!isThere) continue;
    const warning = ending.startsWith('ts')
      ? `${module} stands beside it, so TypeScript does not read ${output}; call it ${USUAL_FILE}`
      : `TypeScript takes ${output} for the types of ${module} beside it; call it ${USUAL_FILE}`;
    session.note(`warning: ${warning}`);
    return { output, warning };
  }
  return { output };
}
