/** A word, sign, number or text of a condition (S29), and its position. */
export interface Token {
  readonly kind: 'word' | 'sign' | 'number' | 'text';
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

const PATTERNS = [
  ['text', /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/suy],
  ['number', /(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\p{L}\p{M}\p{Nd}_$])/iuy],
  ['word', /[\p{L}_$][\p{L}\p{M}\p{Nd}_$]*/uy],
  ['sign', /==|!=|<=|>=|&&|\|\||[<>!().,[\]+-]/uy],
] as const;
const SPACE = /[ \t\n\r]*/uy;

/** Undefined where the text has something that no condition has. */
export function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, tokens.at(-1)!.to)) {
    const token = tokenAt(text, at);
    if (!token) return undefined;
    tokens.push(token);
  }
  return tokens;
}

function tokenAt(text: string, from: number): Token | undefined {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = from;
    const source = pattern.exec(text)?.[0];
    if (source !== undefined) return { kind, source, from, to: from + source.length };
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  return from + SPACE.exec(text)![0].length;
}

const CONTROL: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The value of a quoted text; undefined if it has an unknown escape. */
export function unquote(source: string): string | undefined {
  const inner = source.slice(1, -1);
  if (/\\(?!["'\\/bfnrt]|u[0-9a-f]{4})/i.test(inner.replace(/\\\\/g, ''))) return undefined;
  return inner.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, code: string | undefined, one: string) =>
    code === undefined ? (CONTROL[one] ?? one) : String.fromCharCode(parseInt(code, 16)),
  );
}
