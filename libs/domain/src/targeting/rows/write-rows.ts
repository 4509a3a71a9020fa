import {
  COMPARISONS,
  type Group,
  type Membership,
  type Part,
  type Path,
  type RowContent,
  type Value,
} from './rows.js';

const NAME = /^[\p{L}_$][\p{L}\p{M}\p{Nd}_$]*$/u;

/** `user.properties.plan == "pro"`. */
export function writeRow({ path, comparison, value = null, unit = 'days' }: RowContent): string {
  const not = comparison.startsWith('not ') ? 'NOT ' : '';
  const name = comparison.replace('not ', '');
  const place = writePath(path);
  switch (COMPARISONS[comparison].value) {
    case 'time':
      return `${place} ${name === 'within' ? '>' : '<'} now() - ${unit}(${JSON.stringify(value)})`;
    case 'none':
      return name === 'holds' ? `${not}${place}` : `${not}exists(${place})`;
    default:
      return NAME.test(name)
        ? `${not}${name}(${place}, ${JSON.stringify(value)})`
        : `${place} ${name} ${JSON.stringify(value)}`;
  }
}

/** `segment("pro-admins")`. */
export const writeMembership = ({ name, isNot }: Pick<Membership, 'name' | 'isNot'>): string =>
  `${isNot ? 'NOT ' : ''}segment(${JSON.stringify(name)})`;

export function writePath([root, ...steps]: Path): string {
  return `${root}${steps.map((step) => (typeof step === 'string' && NAME.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`;
}

const splice = (text: string, { from, to }: { from: number; to: number }, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

/** Writes another text in the place of a part. */
export const putPart = (text: string, part: Part, written: string): string =>
  splice(text, part, written);

/** Adds a part at the end of a group. */
export function addPart(text: string, group: Group, written: string): string {
  const last = group.parts.at(-1)!;
  return splice(text, { from: last.to, to: last.to }, ` ${signOf(text, group)} ${written}`);
}

/** As the others of the group are joined. */
function signOf(text: string, { signs, join }: Group): string {
  const [first] = signs;
  return first ? text.slice(first.from, first.to) : join.toUpperCase();
}

/** Takes a part away, with the sign beside it; an empty text where it was the only one. */
export function removePart(text: string, whole: Group, part: Part): string {
  const found = groupWith(whole, part);
  if (!found) return text;
  const { group, index } = found;
  const { parts } = group;
  if (parts.length === 1) return group === whole ? '' : removePart(text, whole, group);
  const before = parts[index - 1];
  const range = before
    ? { from: before.to, to: part.to }
    : { from: part.from, to: parts[index + 1]!.from };
  return splice(text, range, '');
}

function groupWith(group: Group, part: Part): { group: Group; index: number } | undefined {
  const index = group.parts.indexOf(part);
  if (index >= 0) return { group, index };
  for (const inner of group.parts) {
    const found = inner.kind === 'group' ? groupWith(inner, part) : undefined;
    if (found) return found;
  }
  return undefined;
}

/**
 * Has all parts of a group hold, or any of them. Groups within it that have no parentheses get
 * some.
 */
export function joinBy(text: string, group: Group, join: 'and' | 'or'): string {
  const changes = [
    ...group.signs.map((sign) => ({ ...sign, put: join.toUpperCase() })),
    ...group.parts
      .filter((part) => part.kind === 'group' && !part.hasParentheses)
      .map(({ from, to }) => ({ from, to, put: `(${text.slice(from, to)})` })),
  ];
  return changes
    .sort((a, b) => b.from - a.from)
    .reduce((changed, { put, ...range }) => splice(changed, range, put), text);
}

/** A value as a field shows it: a text has no quotes, unless it would be read as something else. */
export function showValue(value: Value): string {
  if (typeof value !== 'string') return String(value);
  return readShown(value) === value ? value : JSON.stringify(value);
}

const CONSTANTS = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** What is meant by what was typed into a field. */
export function readShown(typed: string): Value {
  if (CONSTANTS.has(typed)) return CONSTANTS.get(typed)!;
  if (Number.isFinite(Number(typed)) && String(Number(typed)) === typed) return Number(typed);
  if (!/^".*"$/s.test(typed)) return typed;
  try {
    return JSON.parse(typed) as string;
  } catch {
    return typed;
  }
}
