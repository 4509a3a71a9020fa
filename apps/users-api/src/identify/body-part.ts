import type { Json } from '@waymark/domain/targeting';
import { invalidRequest } from '@waymark/domain/database/errors';
import { validateSync } from 'class-validator';

export type BodyObject = Readonly<Record<string, Json | undefined>>;

/**
 * An object of the body: as data to check, as raw text to store, and where it is (empty for the
 * body itself).
 */
export interface BodyPart {
  readonly value: BodyObject;
  readonly text: string;
  readonly where: string;
}

/** The value as a part of the body; throws `request.invalid` for what is not an object. */
export function parsePart(value: Json | undefined, text: string, where: string): BodyPart {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { value, text, where };
  const missing = value === undefined ? ', and there is none' : '';
  throw invalidRequest(`${where || 'the body'} has to be a JSON object${missing}`);
}

/**
 * A class of bodies: decorators say what is allowed; `isPlainlyRight` is a fast path that accepts
 * most bodies without them.
 */
interface BodyClass<Body> {
  new (value: BodyObject): Body;
  isPlainlyRight?(value: BodyObject): boolean;
}

/**
 * The part as an instance of its class. Only the members that the class names are copied, none is
 * walked: class-transformer would clone all of `properties`. Throws `request.invalid` with all that
 * is wrong.
 */
export function checkPart<Body extends object>(
  type: BodyClass<Body>,
  { value, where }: BodyPart,
): Body {
  const body = new type(value);
  if (type.isPlainlyRight?.(value)) return body;
  const errors = validateSync(body, { stopAtFirstError: true });
  if (errors.length === 0) return body;
  const problems = errors.flatMap(({ constraints }) => Object.values(constraints ?? {}));
  throw invalidRequest(
    problems.map((problem) => (where ? `${where}.${problem}` : problem)).join('; '),
  );
}
