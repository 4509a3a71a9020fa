import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Whether the answer is yes. Ctrl-C and Ctrl-D are a no, as is everything but `y` and `yes`. */
export async function ask(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  const given = terminal.question(`${question} [y/N] `);
  // At Ctrl-C readline rejects, at Ctrl-D it only closes.
  const answer = await Promise.race([given.catch(() => undefined), once(terminal, 'close').then(() => undefined)]);
  terminal.close();
  if (answer === undefined) output.write('\n');
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
