import type { AttentionGroups, FileProblem } from '@waymark/domain/flow-files';
import type { Session } from '../../../command-line/session.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import { problemLines, readText } from './read-flow-files.js';

/** The groups of a file. Refused with all that is wrong with it. */
export async function readAttentionGroups(
  session: Session,
  file: string,
): Promise<AttentionGroups> {
  const { parseAttentionFile } = await import('@waymark/domain/flow-files');
  const read = await readText(file);
  if ('problem' in read) return refuse(session, [read.problem]);
  const { groups, problems } = parseAttentionFile(read.text, { file });
  return groups ?? refuse(session, problems);
}

async function refuse(session: Session, problems: readonly FileProblem[]): Promise<never> {
  for (const line of await problemLines(problems)) session.note(line);
  throw new CommandRefusal('the file of attention groups has errors, nothing was stored', {
    document: { problems },
  });
}
