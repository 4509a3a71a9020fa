import { parseDocument, isScalar } from 'yaml';

/**
 * Where a value is: between brackets every character counts, below a key there is room for lines.
 */
export interface ValueContext {
  isFlow: boolean;
  /** Between the braces of JSON, where every text has quotes. */
  isJson?: boolean;
  /**
   * Columns that lines below the key are indented by; 0 between braces, where everything is on one
   * line.
   */
  indent: number;
}

/** Between brackets a comma or quote means more than on a line of its own. */
const BARE_LINE = /^[^\s!&*#?|>@`"'%,[\]{}:-][^\n]*$|^[\w][\w-]*$/;
const BARE = /^[^\s!&*#?|>@`"'%,[\]{}:-][^\n#:,[\]{}"']*$|^[\w][\w-]*$/;

/** A text as YAML that reads back as that very text. */
export function writeText(text: string, { isFlow, isJson, indent }: ValueContext): string {
  if (isJson) return JSON.stringify(text);
  if (!isFlow && /[^\n]\n./s.test(text)) return writeLines(text, indent);
  return isPlain(text, isFlow) ? text : JSON.stringify(text);
}

/** Several targets in brackets, one bare, none as nothing. */
export function writeTargets(targets: readonly string[]): string {
  const written = targets.map((target) => writeName(target));
  return written.length === 1 ? written[0]! : `[${written.join(', ')}]`;
}

/** A key or a target: these are the very texts written, so that `true` and `10` need no quotes. */
export function writeName(name: string, isJson = false): string {
  return !isJson && BARE.test(name) && !/[ \t]$/.test(name) && !/^(---|\.\.\.)/.test(name)
    ? name
    : JSON.stringify(name);
}

/** Lines below the key; trailing line breaks are kept as they are. */
function writeLines(text: string, indent: number): string {
  const hasTrailing = /\n+$/.exec(text)?.[0].length ?? 0;
  const isOdd = /^[ \n\t]/.test(text) || /[\t ]\n|[\t ]$/.test(text) || /[^\P{Cc}\n\t]/u.test(text);
  if (isOdd || hasTrailing > 1) return JSON.stringify(text);
  const lines = text.replace(/\n$/, '').split('\n');
  const pad = ' '.repeat(indent);
  return `${hasTrailing === 1 ? '|' : '|-'}\n${lines.map((line) => (line === '' ? '' : pad + line)).join('\n')}`;
}

/** Lets the YAML parser decide, in the surroundings that the text will have. */
function isPlain(text: string, isFlow: boolean): boolean {
  if (
    text === '' ||
    text !== text.trim() ||
    /[\n\r\t]/.test(text) ||
    !(isFlow ? BARE : BARE_LINE).test(text)
  )
    return false;
  const document = parseDocument(isFlow ? `{k: ${text}}` : `k: ${text}`, {
    prettyErrors: false,
    schema: 'core',
  });
  const node: unknown = document.errors.length === 0 ? document.get('k', true) : undefined;
  return isScalar(node) && node.value === text;
}
