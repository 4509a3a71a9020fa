import { PassThrough } from 'node:stream';
import { Logger, StreamableFile } from '@nestjs/common';
import { answerOf } from '@waymark/service-kit/http';

const logger = new Logger('work');
const CRASH = 'something went wrong on this side; the log of the studio has more';

/**
 * What long work gets: a callback for its progress, and a signal that aborts when the client has
 * left.
 */
interface Work {
  progress(what: object): void;
  readonly signal: AbortSignal;
}

/**
 * Answers with one JSON document a line: `{progress}` whenever the work reports it, then `{result}`
 * or `{error}` (T4). The work is called off when the request ends before.
 */
export function streamWork<Result>(work: (way: Work) => Promise<Result>): StreamableFile {
  const lines = new PassThrough();
  const calledOff = new AbortController();
  const write = (line: object): void => {
    if (!lines.destroyed && !lines.writableEnded) lines.write(`${JSON.stringify(line)}\n`);
  };
  lines.once('close', () => calledOff.abort());
  // A client that left is not a failure.
  lines.on('error', () => undefined);
  void work({ progress: (progress) => write({ progress }), signal: calledOff.signal })
    .then(
      (result) => write({ result }),
      (error: unknown) => {
        const { status, details } = answerOf(error);
        if (status === 500) logger.error(error);
        write({ error: status === 500 ? CRASH : details });
      },
    )
    .finally(() => lines.end());
  return new StreamableFile(lines, { type: 'application/x-ndjson; charset=utf-8' });
}
