import type { Command } from '../command-line/command.js';
import { type AddCommand, createProgram } from '../command-line/run-command-line.js';
import type { GlobalOptions } from '../command-line/session.js';
import { readCommandSettings } from '../config/settings.js';
import { withTextFile } from './answer.js';
import { ToolSession } from './tool-session.js';
import { type Document, type Line, TEXT, type Work } from './tools/index.js';

/** The author and the environment of the work. */
export interface Caller {
  /** Undefined for questions about flows as files, which are the same in all environments. */
  readonly environment: string | undefined;
  /** Who the audit log says has changed something; undefined for what only reads. */
  readonly by: string | undefined;
  /** The agent's program, as it names itself. */
  readonly client: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Does what a tool requests, by the command or in a session of its own. Throws what the command is
 * refused with.
 */
export async function runWork(
  commands: readonly AddCommand[],
  work: Work,
  caller: Caller,
): Promise<Document> {
  if (typeof work !== 'function') return runLine(commands, work, caller);
  const { signal } = caller;
  const session = new ToolSession(optionsOf(caller, {}), readCommandSettings, {
    confirmed: [],
    signal,
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

function optionsOf({ environment: env, by, client }: Caller, line: Partial<Line>): GlobalOptions {
  const said = { env, by: line.by ?? by, reason: line.reason, client };
  const given = Object.entries(said).filter(([, value]) => value !== undefined);
  return { json: true, ...Object.fromEntries(given) };
}

function runLine(commands: readonly AddCommand[], line: Line, caller: Caller): Promise<Document> {
  if (line.text === undefined) return parseLine(commands, line, caller);
  return withTextFile(line.text, (file) => parseLine(commands, line, caller, file));
}

async function parseLine(
  commands: readonly AddCommand[],
  line: Line,
  caller: Caller,
  file = '',
): Promise<Document> {
  const { command, operands = [], options = {}, confirmed = [] } = line;
  const opened: ToolSession[] = [];
  const program = createProgram(commands, (...made) => {
    const session = new ToolSession(...made, { confirmed, signal: caller.signal });
    opened.push(session);
    return session;
  });
  for (const [name, value] of Object.entries(optionsOf(caller, line)))
    program.setOptionValue(name, value);
  const words = operands.map((operand) => (operand === TEXT ? file : operand));
  // Read by the command itself and behind `--`, so that no text of a caller is taken for an option.
  await findCommand(program, command).parseAsync([...flagsOf(options), '--', ...words], {
    from: 'user',
  });
  return (opened[0]?.document ?? {}) as Document;
}

function findCommand(program: Command, name: string): Command {
  const found = name
    .split(' ')
    .reduce<Command | undefined>(
      (parent, word) => parent?.commands.find((child) => child.name() === word) as Command,
      program,
    );
  if (!found) throw new Error(`there is no command ${name}`);
  return found.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
}

function flagsOf(options: NonNullable<Line['options']>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().map((one) => `--${name}=${String(one)}`);
  });
}
