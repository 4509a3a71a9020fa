import { writeFile } from 'node:fs/promises';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { writingFailure } from './file-failure.js';
import { plainJson } from './plain-text.js';

/** Writes the file that `--output` names. Throws a `CommandRefusal` that says why it cannot. */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new CommandRefusal(`${file} cannot be written: ${writingFailure(error)}`, { cause: error });
  }
}

/** Writes a piece of a long JSON result to stdout; resolves once whoever reads has it, or the file. */
export function writePiece(json: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(plainJson(json), (error) => (error ? reject(error) : resolve())));
}
