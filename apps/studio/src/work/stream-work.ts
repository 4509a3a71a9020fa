import { PassThrough } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { answerOf } from '@waymark/service-kit/errors';

/** What long work gets: where to tell how far it is, and a signal that comes when nobody waits for it any more. */
export interface Work {
  progress(what: object): void;
  readonly signal: AbortSignal;
}

/**
 * Answers with one JSON document a line: `{progress}` as often as the work tells, then `{result}` or `{error}` (T4). The
 * work is called off when the request ends before.
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
      (error: unknown) => write({ error: answerOf(error).details }),
    )
    .finally(() => lines.end());
  return new StreamableFile(lines, { type: 'application/x-ndjson; charset=utf-8' });
}
