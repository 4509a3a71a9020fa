import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { HistoryDifference, ReplayedHistories } from '@waymark/domain/analysis';
import type { Command } from '../../command-line/command.js';
import { BUILD } from '../../config/build.js';
import { readingFailure } from '../../output/write-output.js';
import { inDigits } from '../../output/numbers.js';
import { Progress } from '../../output/progress.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';

export function addReplayCommand(histories: Command): void {
  histories
    .command('replay <file>')
    .description('fold exported histories with this release, and fail where a state differs')
    .operation(async (session, file: string) => {
      const { replayHistories } = await import('@waymark/domain/analysis');
      const progress = new Progress(session, 'states');
      const work = replayHistories(linesOf(file), (states) => progress.show({ done: states }));
      const replayed = await progress.during(work);
      const document = { ...replayed, installed: BUILD.version };
      if (replayed.differing === 0) return session.print(document, describe(replayed));
      for (const difference of replayed.differences) session.note(describeDifference(difference));
      throw new CommandRefusal(describe(replayed), { document });
    });
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } catch (error) {
    throw new CommandRefusal(`${file} cannot be read: ${readingFailure(error)}`, { cause: error });
  } finally {
    input.destroy();
  }
}

function describe(replayed: ReplayedHistories): string {
  const { flow, release, users, compared, pruned, differing, differences } = replayed;
  const more = differing - differences.length;
  return [
    `${flow}, exported by ${release}, folded by ${BUILD.version}: ${inDigits(users)} user(s)`,
    `${inDigits(compared)} state(s) compared`,
    ...(pruned > 0 ? [`${inDigits(pruned)} without their first events, not compared`] : []),
    differing === 0 ? 'no difference' : `${inDigits(differing)} difference(s)`,
    ...(more > 0 ? [`${inDigits(more)} of them not listed`] : []),
  ].join(', ');
}

const describeDifference = ({ user, version, revision, places }: HistoryDifference): string =>
  user === null
    ? `version ${version} ${places.join('; ')}`
    : `${user} in version ${version} at revision ${revision}: ${places.join('; ')}`;
