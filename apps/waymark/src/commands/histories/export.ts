import { type FileHandle, open } from 'node:fs/promises';
import type { HistoryCounts } from '@waymark/domain/analysis';
import type { Command } from '../../command-line/command.js';
import { parseLimit } from '../../command-line/arguments.js';
import { BUILD } from '../../config/build.js';
import { writingFailure, writePiece } from '../../output/write-output.js';
import { inDigits } from '../../output/numbers.js';
import { Progress } from '../../output/progress.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';

/** Characters that are written at once. */
const PIECE = 65_536;

export function addExportCommand(histories: Command): void {
  histories
    .command('export <flow>')
    .description('events and states of users of a flow, from which nobody can tell who they are')
    .option('--users <number>', 'users at most, chosen by chance', parseLimit, 1_000)
    .option('-o, --output <file>', 'write there instead of printing')
    .operation(
      async (session, flow: string, { users, output }: { users: number; output?: string }) => {
        const { exportHistories } = await import('@waymark/domain/analysis');
        const { dataSource, environmentId } = await session.openEnvironment();
        const progress = new Progress(session, 'users');
        let counts: HistoryCounts = { users: 0, states: 0, events: 0 };
        const lines = exportHistories(dataSource, environmentId, {
          flow,
          users,
          release: BUILD.version,
          signal: session.signal,
          onProgress: (soFar, total) => {
            counts = { ...soFar };
            progress.show({ done: soFar.users, total });
          },
        });
        await progress.during(output === undefined ? print(lines) : write(lines, output));
        const summary = describe(counts);
        if (output === undefined) session.note(`${flow} in ${session.environment}: ${summary}`);
        else
          session.printOf(
            { flow, output, ...counts },
            `${flow} in ${session.environment}: ${summary} written to ${output}`,
          );
      },
    );
}

const describe = ({ users, states, events }: HistoryCounts): string =>
  `${inDigits(users)} user(s), ${inDigits(states)} state(s), ${inDigits(events)} event(s)`;

async function print(lines: AsyncIterable<string>): Promise<void> {
  for await (const piece of inPieces(lines)) await writePiece(piece);
}

async function write(lines: AsyncIterable<string>, file: string): Promise<void> {
  const refuse = (cause: unknown) =>
    new CommandRefusal(`${file} cannot be written: ${writingFailure(cause)}`, { cause });
  const handle: FileHandle = await open(file, 'w').catch((error: unknown) => {
    throw refuse(error);
  });
  try {
    for await (const piece of inPieces(lines))
      await handle.appendFile(piece).catch((error: unknown) => {
        throw refuse(error);
      });
  } finally {
    await handle.close();
  }
}

/** Most lines are short, and a call of the system for each would take longer than they do. */
async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
