import { CallError, type CallOptions, send, sentence } from './call.js';

interface Line<Progress, Result> {
  progress?: Progress;
  result?: Result;
  error?: string;
}

/**
 * Long work: calls back with its progress and resolves with its result. Ending the signal ends the
 * work.
 */
export async function stream<Result, Progress = object>(
  path: string,
  options: CallOptions & { onProgress?: (progress: Progress) => void },
): Promise<Result> {
  const response = await send(path, options);
  for await (const text of linesOf(response.body!)) {
    const line = JSON.parse(text) as Line<Progress, Result>;
    if (line.progress) options.onProgress?.(line.progress);
    if (line.error !== undefined) throw new CallError(500, sentence(line.error));
    if ('result' in line) return line.result as Result;
  }
  throw new CallError(
    0,
    'The studio stopped before this was finished. What was done so far is kept.',
  );
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines.filter((line) => line !== '');
  }
}
