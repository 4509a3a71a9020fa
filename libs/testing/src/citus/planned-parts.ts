import {
  aliasOf,
  type Fields,
  nodesIn,
  nodesOf,
  STATEMENTS,
  type SqlNode,
  tablesIn,
  type TableUse,
} from './sql-tree.js';

/**
 * What Citus plans by itself: a statement without the CTEs that are carried out before it. Those
 * are the ones that write or say MATERIALIZED; the others become a part of what names them.
 */
export interface PlannedPart {
  readonly root: SqlNode;
  /** Tables of the database that it reads, CTEs left out. */
  readonly tables: readonly TableUse[];
  /** Names of results that are the same for every shard: CTEs that were carried out before. */
  readonly results: ReadonlySet<string>;
  /** Nodes of the part, without what is carried out before. */
  nodes(): Generator<SqlNode>;
}

export function plannedParts(statement: unknown): PlannedPart[] {
  const all = nodesOf(statement, 'CommonTableExpr');
  const names = new Set(all.map(({ ctename }) => String(ctename)));
  const before = all.filter(isCarriedOutBefore);
  const results = new Set(before.map(({ ctename }) => String(ctename)));
  return [statement, ...before.map(({ ctequery }) => ctequery)].map((tree) =>
    toPart(tree, names, results),
  );
}

function toPart(
  tree: unknown,
  names: ReadonlySet<string>,
  results: ReadonlySet<string>,
): PlannedPart {
  const stops = ({ kind, fields }: SqlNode) =>
    kind === 'CommonTableExpr' && isCarriedOutBefore(fields);
  const root = [...nodesIn(tree)].find(({ kind }) => STATEMENTS.includes(kind));
  if (!root) throw new Error('neither reads nor writes');
  const tables = tablesIn(tree, stops).filter(({ table }) => !names.has(table));
  return { root, tables, results, nodes: () => nodesIn(tree, stops) };
}

function isCarriedOutBefore({ ctematerialized, ctequery }: Fields): boolean {
  const writes = Object.keys(ctequery as object).some((kind) => kind !== 'SelectStmt');
  return writes || ctematerialized === 'CTEMaterializeAlways';
}

/**
 * Names in a FROM that are no tables, and the same for every shard: functions, lists of values,
 * results of CTEs.
 */
export function recurringIn(from: unknown, results: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const { kind, fields } of nodesIn(
    from,
    ({ kind: inner }) => inner === 'RangeSubselect' || inner === 'SubLink',
  )) {
    if (kind === 'RangeFunction') found.add(aliasOf(fields) ?? 'a function');
    if (kind === 'RangeVar' && results.has(String(fields['relname'])))
      found.add(aliasOf(fields) ?? String(fields['relname']));
    if (kind === 'RangeSubselect' && isValues(fields)) found.add(aliasOf(fields) ?? 'values');
  }
  return found;
}

const isValues = ({ subquery }: Fields): boolean =>
  nodesOf(subquery, 'SelectStmt').some((select) => 'valuesLists' in select);
