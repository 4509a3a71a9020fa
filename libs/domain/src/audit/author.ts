import { invalidRequest } from '../errors/index.js';

/** Who asks for a change, and why: what the audit log keeps of a person (I7). */
export interface Author {
  /** A name, an account or whoever signed in; 1 to 256 characters. */
  readonly by: string;
  /** For those who read the log later; at most 1,000 characters. */
  readonly reason?: string;
}

const LONGEST = { by: 256, reason: 1_000 };

/** Throws `request.invalid` for what the log cannot keep. */
export function checkAuthor({ by, reason }: Author): void {
  if (!by.trim()) throw invalidRequest('whoever changes something needs a name in the audit log');
  checkText('the name in the audit log', by, LONGEST.by);
  if (reason !== undefined) checkText('a reason', reason, LONGEST.reason);
}

function checkText(what: string, text: string, longest: number): void {
  const { length } = [...text];
  if (length > longest) throw invalidRequest(`${what} has at most ${longest} characters, this one has ${length}`);
  if (text.includes('\0')) throw invalidRequest(`${what} cannot contain the character U+0000`);
}
