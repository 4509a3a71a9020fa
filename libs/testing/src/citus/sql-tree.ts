/**
 * A node of a parsed statement: its fields, under the name that PostgreSQL's own parser gives its
 * kind.
 */
export type Fields = Readonly<Record<string, unknown>>;
export interface SqlNode {
  readonly kind: string;
  readonly fields: Fields;
}

/** What is searched no further: a whole subtree that somebody else looks at. */
type Stops = (node: SqlNode) => boolean;

/** Every node below a value, the outer ones first; below those that `stops` names nothing. */
export function* nodesIn(value: unknown, stops: Stops = () => false): Generator<SqlNode> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesIn(one, stops);
  } else if (value !== null && typeof value === 'object') {
    for (const [kind, fields] of Object.entries(value)) {
      const node = { kind, fields: fields as Fields };
      if (isNode(kind, fields)) yield node;
      if (!isNode(kind, fields) || !stops(node)) yield* nodesIn(fields, stops);
    }
  }
}

/** Kinds are written with a capital letter, fields of nodes with a small one. */
const isNode = (kind: string, fields: unknown): boolean =>
  /^[A-Z]/.test(kind) && fields !== null && typeof fields === 'object';

/** All nodes of one kind. */
export const nodesOf = (value: unknown, kind: string, stops?: Stops): Fields[] =>
  [...nodesIn(value, stops)].filter((node) => node.kind === kind).map(({ fields }) => fields);

export const STATEMENTS = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

/** The texts of a list of names, such as those of a function or a column. */
export const namesIn = (value: unknown): string[] =>
  nodesOf(value, 'String').map(({ sval }) => String(sval));

/** `u.user_id` as `['u', 'user_id']`. */
export const columnsIn = (value: unknown, stops?: Stops): string[][] =>
  nodesOf(value, 'ColumnRef', stops).map(({ fields }) => namesIn(fields));

/** A table that a statement reads or changes, with the name that it has there. */
export interface TableUse {
  readonly table: string;
  readonly alias: string;
}

export const tablesIn = (value: unknown, stops?: Stops): TableUse[] =>
  [...nodesIn(value, stops)].flatMap(({ kind, fields }) => {
    const ranges =
      kind === 'RangeVar'
        ? [fields]
        : kind === 'UpdateStmt' || kind === 'DeleteStmt'
          ? [fields['relation']]
          : [];
    return ranges.map((range) => toUse(range as Fields));
  });

export function toUse(range: Fields): TableUse {
  const table = String(range['relname']);
  return { table, alias: aliasOf(range) ?? table };
}

/** The name behind AS, of a table, a function or a subquery. */
export const aliasOf = (range: Fields): string | undefined =>
  (range['alias'] as { aliasname?: string } | undefined)?.aliasname;

/** Functions that are called, `current_timestamp` and its like among them. */
export const callsIn = (value: unknown): string[] =>
  [...nodesIn(value)].flatMap(({ kind, fields }) => {
    if (kind === 'FuncCall') return [namesIn(fields['funcname']).at(-1)!];
    return kind === 'SQLValueFunction' ? ['now'] : [];
  });
