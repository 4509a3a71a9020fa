// How generated files are written, so that an interrupted `npm run generate` leaves the former file
// or the new one.
import { rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, getFileInfo, resolveConfig } from 'prettier';

/** The root of the project, which may be in a folder with a space. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Formats the text as the file's name wants it, writes it beside the file, then lets it take its
 * place.
 */
export async function writeWhole(file, text) {
  const { inferredParser: parser } = await getFileInfo(file);
  const whole = parser ? await format(text, { ...(await resolveConfig(file)), parser }) : text;
  await writeFile(`${file}.new`, whole);
  await rename(`${file}.new`, file);
}
