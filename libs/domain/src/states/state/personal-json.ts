import {
  type Field,
  type InsertedValues,
  insertionKey,
  insertionsIn,
  type TextPart,
} from '../../engine/index.js';

/** The JSON of a text part that shows a property of the user. */
interface Gap {
  readonly key: string;
  /** The word for who has none, as it is within quotes of JSON. */
  readonly or: string;
}
/** What an answer has left for the values that are inserted into it, in bytes. */
export interface InsertionRoom {
  left: number;
}
/** What is put into a gap, as it is within quotes of JSON. */
export type Fill = (gap: Gap) => string;

/** All inserted values of one answer together (Z5). */
const MOST_BYTES = 65_536;

export const insertionRoom = (): InsertionRoom => ({ left: MOST_BYTES });

export const NO_FILL: Fill = ({ or }) => or;

/** Fills the gaps of one answer, or of part of one that shares its room with others. */
export function filler(values: InsertedValues | undefined, shared?: InsertionRoom): Fill {
  if (!values) return NO_FILL;
  const room = shared ?? insertionRoom();
  return ({ key, or }) => {
    const value = values.get(key);
    return value === undefined ? or : quoted(take(value, room));
  };
}

/** As much of a value as there is room for; behind one that was cut there is none. */
function take(value: string, room: InsertionRoom): string {
  const bytes = Buffer.byteLength(value);
  if (bytes <= room.left) {
    room.left -= bytes;
    return value;
  }
  let taken = room.left === 0 ? '' : value;
  while (Buffer.byteLength(taken) > room.left) taken = [...taken].slice(0, -1).join('');
  room.left = 0;
  return taken;
}

export const isPersonal = (fields: readonly Field[]): boolean => insertionsIn(fields).length > 0;

/** Fields as JSON with gaps in their texts; what is inserted stays text, whatever it holds. */
export function personalJson(fields: readonly Field[]): (string | Gap)[] {
  const pieces: (string | Gap)[] = [];
  for (const piece of piecesOf(fields)) {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string')
      pieces.push(`${pieces.pop() as string}${piece}`);
    else pieces.push(piece);
  }
  return pieces;
}

function* piecesOf(value: unknown): Generator<string | Gap> {
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* piecesOf(member);
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) yield* membersOf(value);
  else yield JSON.stringify(value);
}

/** The parts stand for the text that they were made of: `value` of a field, `text` of a node. */
function* membersOf(object: { readonly parts?: readonly TextPart[] }): Generator<string | Gap> {
  const { parts, ...others } = object;
  let before = '{';
  for (const [key, member] of Object.entries(others)) {
    yield `${before}${JSON.stringify(key)}:`;
    if (parts && (key === 'value' || key === 'text')) yield* textOf(parts);
    else yield* piecesOf(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* textOf(parts: readonly TextPart[]): Generator<string | Gap> {
  yield '"';
  for (const part of parts)
    yield typeof part === 'string'
      ? quoted(part)
      : { key: insertionKey(part), or: quoted(part.or ?? '') };
  yield '"';
}

/** Within quotes of JSON. */
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
