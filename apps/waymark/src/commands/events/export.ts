import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { ExportedBatch, LogStart } from '@waymark/domain/events';
import type { Command } from '../../command-line/command.js';
import { parseLimit, parseStart } from '../../command-line/arguments.js';
import type { Session } from '../../command-line/session.js';
import { readingFailure, writingFailure, writePiece } from '../../output/write-output.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';

/** A file that was opened for writing only can be opened again by this name. */
const STDOUT = '/dev/stdout';

interface ExportArguments {
  flow?: string;
  from?: { start: LogStart } | { cursor: string };
  limit?: number;
  follow?: boolean;
  drafts?: boolean;
  cursorFile?: string;
}

export function addExportCommand(events: Command): void {
  events
    .command('export')
    .description('the events as lines of JSON, oldest first, on stdout')
    .option('--flow <flow>', 'only that flow')
    .option(
      '--from <start>',
      'beginning, now, a time such as 2026-01-31, or a cursor; beginning without it',
      parseFrom,
    )
    .option('--limit <number>', 'events at most, rounded up to the end of a step', parseLimit)
    .option('--follow', 'go on with what happens from now on')
    .option('--drafts', 'the events of version 0 too')
    .option(
      '--cursor-file <file>',
      'continue where that file says, and write into it how far the export came',
    )
    .operation(exportAll);
}

async function exportAll(
  session: Session,
  { cursorFile, from, ...options }: ExportArguments,
): Promise<void> {
  const { exportEvents } = await import('@waymark/domain/events');
  const { Database } = await import('@waymark/domain/database');
  const { dataSource, environmentId: id } = await session.openEnvironment();
  const cursor =
    (cursorFile && (await readCursor(cursorFile))) ||
    (from && 'cursor' in from ? from.cursor : undefined);
  const signal = options.follow ? session.signal : undefined;
  const wanted = {
    ...options,
    from: from && 'start' in from ? from.start : 'beginning',
    ...(cursor !== undefined && { cursor }),
    ...(signal && { signal }),
  };
  const batches = exportEvents(
    new Database(dataSource, false),
    dataSource.manager,
    { id, name: session.environment },
    wanted,
  );
  const last = await writeAll(batches, cursorFile);
  if (last !== undefined && cursorFile === undefined)
    session.note(`to continue from here: --from ${last}`);
}

/** A cursor has no shape that a time could have. */
function parseFrom(text: string): NonNullable<ExportArguments['from']> {
  return /^[A-Za-z0-9_-]{60,}$/.test(text)
    ? { cursor: text }
    : { start: parseStart(text, '; or the cursor of an export') };
}

async function readCursor(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandRefusal(`${file} cannot be read: ${readingFailure(error)}`, { cause: error });
  }
}

/**
 * Writes the cursor only once stdout has taken the events before it: after a kill, at most the last
 * batch is repeated.
 */
async function writeAll(
  batches: AsyncIterable<ExportedBatch>,
  cursorFile: string | undefined,
): Promise<string | undefined> {
  let last: string | undefined;
  await endTornLine();
  for await (const { events, cursor } of batches) {
    if (events.length > 0)
      await writePiece(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    if (cursorFile !== undefined) await replace(cursorFile, cursor);
    last = cursor;
  }
  return last;
}

/**
 * A call that was killed may have left half a line in a file, which must not swallow the first
 * event of this one.
 */
async function endTornLine(): Promise<void> {
  // Not `fstatSync`: of a pipe it misleads what resolves imports later (Node 20).
  const stdout = await stat(STDOUT).catch(() => undefined);
  if (!stdout?.isFile() || stdout.size === 0) return;
  const last = await readByte(stdout.size - 1).catch(() => undefined);
  if (last !== '\n') await writePiece('\n');
}

async function readByte(at: number): Promise<string> {
  const file = await open(STDOUT, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
    return buffer.toString();
  } finally {
    await file.close();
  }
}

async function replace(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, `${text}\n`);
    await rename(`${file}.new`, file);
  } catch (error) {
    throw new CommandRefusal(`${file} cannot be written: ${writingFailure(error)}`, {
      cause: error,
    });
  }
}
