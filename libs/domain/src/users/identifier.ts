import { invalidRequest, DomainError } from '../database/errors/index.js';

const IDENTIFIER = /^[^\p{Cc}\p{Cs}]{1,512}$/u;

/**
 * Whether the value may identify a user or a group: 1 to 512 code points, none a control character
 * or lone surrogate (W7).
 */
export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && IDENTIFIER.test(value);

/**
 * The value as an identifier; throws `request.invalid` that names where it stood, what was wrong
 * and what is allowed (W7).
 */
export function parseIdentifier(value: unknown, where: string): string {
  if (isIdentifier(value)) return value;
  throw invalidRequest(describeBadIdentifier(value, where));
}

/** The sentence that refuses a value which is no identifier. */
export const describeBadIdentifier = (value: unknown, where: string): string =>
  `${where} ${problemOf(value)}: an identifier has 1 to 512 characters and none of them is a control character`;

function problemOf(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (typeof value !== 'string') return 'has to be a string';
  if (value === '') return 'is empty';
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return 'has a control character or half of a surrogate pair';
  return `has ${Array.from(value).length} characters`;
}

/** The refusal of a user who was never identified in that environment (B3). */
export const unknownUser = (identifier: string): DomainError =>
  new DomainError(
    'user.unknown',
    `user ${JSON.stringify(identifier)} was never identified in this environment`,
  );
