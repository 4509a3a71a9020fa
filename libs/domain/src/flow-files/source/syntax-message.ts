import type { YAMLError } from 'yaml';

const NO_VALUE = 'a key needs a value behind a colon and a blank: key: value';

/** What to write instead, by the code of the parser and a part of its words. What is not here is told as the parser does. */
const ADVICE: readonly (readonly [code: YAMLError['code'], words: RegExp, message: string])[] = [
  [
    'BLOCK_AS_IMPLICIT_KEY',
    /./,
    'a text with a colon and a blank in it needs quotes; a key begins in the column of the keys above it',
  ],
  [
    'BLOCK_IN_FLOW',
    /./,
    'within { } and [ ] a text with a colon and a blank in it needs quotes, and entries need commas between them',
  ],
  ['MULTILINE_IMPLICIT_KEY', /./, NO_VALUE],
  ['MISSING_CHAR', /followed by map values/, NO_VALUE],
  ['MISSING_CHAR', /closing .quote/, 'this quote is never closed'],
  [
    'MISSING_CHAR',
    /between flow/,
    'entries within { } and [ ] need commas between them, and keys a colon and a blank behind them',
  ],
  ['BAD_INDENT', /end with a }/, 'a { is not closed before here, or what stands in it is not indented'],
  ['BAD_INDENT', /end with a ]/, 'a [ is not closed before here, or what stands in it is not indented'],
  ['BAD_INDENT', /same column/, 'the keys of a map, and the entries of a list, begin in one column'],
  ['TAB_AS_INDENT', /./, 'lines are indented with blanks, never with tabs'],
  ['BAD_SCALAR_START', /./, 'a text that begins with this character needs quotes'],
  ['UNEXPECTED_TOKEN', /block-seq-ind/, 'a list begins on a line of its own, or is written [a, b]'],
  ['UNEXPECTED_TOKEN', /./, 'this cannot stand here; a bracket or a quote before it is missing, or one is too many'],
];

/** A mistake in the YAML itself, in words for people who write flows rather than parsers. */
export function syntaxMessage({ code, message }: YAMLError): string {
  return ADVICE.find((advice) => advice[0] === code && advice[1].test(message))?.[2] ?? message;
}
