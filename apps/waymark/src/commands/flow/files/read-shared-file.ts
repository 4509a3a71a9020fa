import type { SharedFile } from '@waymark/domain/flows';
import type { Session } from '../../../command-line/session.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import { problemLines, readText } from './read-flow-files.js';

/**
 * What a file of segments or of attention groups says. Refused with everything that is wrong with
 * it.
 */
export async function readSharedFile<Content>(
  session: Session,
  { what, parse }: Pick<SharedFile<Content>, 'what' | 'parse'>,
  file: string,
): Promise<Content> {
  const read = await readText(file);
  const { content, problems } =
    'problem' in read ? { content: null, problems: [read.problem] } : parse(read.text, { file });
  if (content) return content;
  for (const line of await problemLines(problems)) session.note(line);
  throw new CommandRefusal(`the file of ${what} has errors, nothing was stored`, {
    document: { problems },
  });
}
