import {
  Composer,
  LineCounter,
  Parser,
  type CST,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml';
import { checkNodes, type Report } from './check-nodes.js';
import type { FileProblem, Place } from './file-problem.js';

/**
 * In UTF-16 units. The largest flow that is allowed, with 1,000 blocks, takes half of it; reading
 * time grows with the length.
 */
const MAX_FILE_LENGTH = 524_288;

/** Deeper files are refused before anything walks them by recursion. */
const MAX_LEVELS = 200;

/**
 * A text of half a million characters may be where a name was meant, and nobody reads it in a
 * message.
 */
const LONGEST_MESSAGE = 2_000;

/** A problem at an offset of the text; `place` is what it spoils, null for the file as a whole. */
export interface Finding {
  offset: number;
  code: string;
  message: string;
  place: Place | null;
  severity: 'error' | 'warning';
}

const NO_VALUE = 'a key needs a value behind a colon and a blank: key: value';

/**
 * What to write instead, by the code of the parser and a part of its words. What is not here is
 * reported in the words of the parser.
 */
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
  [
    'BAD_INDENT',
    /end with a }/,
    'a { is not closed before here, or what stands in it is not indented',
  ],
  [
    'BAD_INDENT',
    /end with a ]/,
    'a [ is not closed before here, or what stands in it is not indented',
  ],
  [
    'BAD_INDENT',
    /same column/,
    'the keys of a map, and the entries of a list, begin in one column',
  ],
  ['TAB_AS_INDENT', /./, 'lines are indented with blanks, never with tabs'],
  ['BAD_SCALAR_START', /./, 'a text that begins with this character needs quotes'],
  ['UNEXPECTED_TOKEN', /block-seq-ind/, 'a list begins on a line of its own, or is written [a, b]'],
  [
    'UNEXPECTED_TOKEN',
    /./,
    'this cannot stand here; a bracket or a quote before it is missing, or one is too many',
  ],
];

/** What to do about a file that cannot be read, by what it is a file of. */
export interface FileAdvice {
  readonly empty: string;
  readonly tooLong: string;
}

const FLOW_ADVICE: FileAdvice = {
  empty: 'it needs at least flow, start and blocks',
  tooLong: 'leave out what users do not read, or split the flow',
};

/**
 * The text of a flow file as YAML nodes: one document, no duplicate keys, aliases that end, no text
 * that PostgreSQL cannot hold (W7). Whatever reads the nodes adds to the same findings, so that all
 * are reported at once (F4).
 */
export class FlowSource {
  readonly findings: Finding[] = [];
  /** Null where the file cannot be read at all; the findings say why. */
  readonly root: Node | null;
  private readonly lines = new LineCounter();
  private readonly targets: ReadonlyMap<Node, Node>;

  constructor(
    readonly text: string,
    private readonly advice: FileAdvice = FLOW_ADVICE,
  ) {
    const report: Report = (offset, code, message) =>
      this.add({ offset, code, message, place: null, severity: 'error' });
    const document =
      text.length > MAX_FILE_LENGTH ? this.refuseLength(report) : this.compose(report);
    const checked =
      document?.contents && this.findings.length === 0
        ? checkNodes(document.contents, report)
        : null;
    // In a comment, where no node has it: the text itself is stored.
    const nul = text.indexOf('\0');
    if (checked && nul !== -1) report(nul, 'file.text', 'text cannot hold the character U+0000');
    this.targets = checked ?? new Map();
    this.root = checked ? document!.contents : null;
  }

  add(finding: Finding): void {
    this.findings.push(finding);
  }

  /** What an alias stands for; any other node itself. */
  resolve(node: Node): Node {
    return this.targets.get(node) ?? node;
  }

  /** Counted from 1, in UTF-16 units as editors do. */
  positionAt(offset: number): { line: number; column: number } {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  /** All findings at once, from top to bottom (F4); `file` is how problems name the file. */
  listProblems(file: string): FileProblem[] {
    return this.findings
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, severity, code, message }) => ({
        file,
        ...this.positionAt(offset),
        severity,
        code,
        message: cut(message),
      }));
  }

  private refuseLength(report: Report): undefined {
    const [length, most] = [this.text.length, MAX_FILE_LENGTH].map((count) =>
      count.toLocaleString('en-US'),
    );
    report(
      0,
      'file.too-long',
      `the file has ${length} characters, more than ${most}; ${this.advice.tooLong}`,
    );
  }

  private compose(report: Report): Document.Parsed | undefined {
    const tokens = [...new Parser(this.lines.addNewLine).parse(this.text)];
    const tooDeep = findTooDeep(tokens);
    if (tooDeep !== undefined) {
      report(tooDeep, 'file.too-deep', `nested more than ${MAX_LEVELS} levels deep`);
      return undefined;
    }
    const options = {
      prettyErrors: false,
      uniqueKeys: false,
      lineCounter: this.lines,
      schema: 'core',
    } as const;
    const [document, second] = [...new Composer(options).compose(tokens, true, this.text.length)];
    if (second)
      report(
        second.range[0],
        'file.several-documents',
        'a second document begins here; a file is one document',
      );
    const openQuote = findOpenQuote(tokens);
    const mistakes = new Map(
      [...document!.errors, ...document!.warnings]
        .reverse()
        .map((one) => [offsetOf(one, openQuote), one]),
    );
    for (const [offset, mistake] of mistakes) report(offset, 'file.syntax', syntaxMessage(mistake));
    if (document!.directives.yaml.version !== '1.2')
      report(0, 'file.yaml-version', 'files are YAML 1.2; remove the %YAML directive');
    if (!document!.contents && this.findings.length === 0)
      report(0, 'file.empty', `the file is empty; ${this.advice.empty}`);
    return document as Document.Parsed | undefined;
  }
}

/** Never between the halves of one character. */
const cut = (message: string): string =>
  message.length <= LONGEST_MESSAGE
    ? message
    : `${message.slice(0, LONGEST_MESSAGE).replace(/[\ud800-\udbff]$/, '')}…`;

/** A mistake in the YAML itself, in words for people who write flows rather than parsers. */
function syntaxMessage({ code, message }: YAMLError): string {
  return ADVICE.find((advice) => advice[0] === code && advice[1].test(message))?.[2] ?? message;
}

/** Where the mistake was made; the parser misses the end of a quote at the end of the file. */
function offsetOf({ code, pos, message }: YAMLError, openQuote: number | undefined): number {
  const isOpenQuote = code === 'MISSING_CHAR' && message.includes('quote');
  return (isOpenQuote ? openQuote : undefined) ?? pos[0];
}

function findOpenQuote(tokens: CST.Token[]): number | undefined {
  for (const { token } of walk(tokens)) {
    const isQuoted = token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar';
    if (isQuoted && (token.source.length < 2 || !token.source.endsWith(token.source[0]!)))
      return token.offset;
  }
  return undefined;
}

/** Offset of the first token beyond MAX_LEVELS. */
function findTooDeep(tokens: CST.Token[]): number | undefined {
  for (const { token, level } of walk(tokens)) if (level > MAX_LEVELS) return token.offset;
  return undefined;
}

/** Every token with its level, without recursion. */
function* walk(tokens: readonly CST.Token[]): Generator<{ token: CST.Token; level: number }> {
  const waiting = tokens.map((token) => ({ token, level: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { token, level } = next;
    yield next;
    if (token.type === 'document' && token.value) waiting.push({ token: token.value, level });
    for (const item of 'items' in token ? token.items : []) {
      if (item.key) waiting.push({ token: item.key, level: level + 1 });
      if (item.value) waiting.push({ token: item.value, level: level + 1 });
    }
  }
}
