import { DISTRIBUTION_KEYS } from '@waymark/domain/schema';
import { type PlannedPart, recurringIn } from './planned-parts.js';
import {
  callsIn,
  columnsIn,
  type Fields,
  namesIn,
  nodesOf,
  type SqlNode,
  type TableUse,
  tablesIn,
} from './sql-tree.js';

const keyOf = ({ table }: TableUse): string | undefined =>
  (DISTRIBUTION_KEYS as Record<string, string>)[table];
const isDistributed = (use: TableUse): boolean => keyOf(use) !== undefined;
const readsTables = (value: unknown): boolean => tablesIn(value).some(isDistributed);
const columnNames = (column: readonly string[]): string => column.at(-1)!;

const SYSTEM_COLUMNS = ['xmin', 'xmax', 'ctid', 'tableoid'];

type Rule = (part: PlannedPart) => boolean;

/** What Citus refuses in a statement that reads, and how it can be said instead. */
const RULES: Readonly<Record<string, Rule>> = {
  'WITH RECURSIVE': ({ nodes }) => [...nodes()].some(({ fields }) => isRecursive(fields)),
  'a lock on rows that are not of one key: look without locks, then compare and set':
    isLockedAcrossKeys,
  'a system column, which differs from copy to copy': ({ nodes }) =>
    [...nodes()].some(
      ({ kind, fields }) =>
        kind === 'ColumnRef' && SYSTEM_COLUMNS.includes(namesIn(fields['fields']).at(-1) ?? ''),
    ),
  'EXISTS (SELECT FROM …): select 1': hasEmptySelect,
  'a join of users with groups, which are elsewhere: read one of them in a MATERIALIZED CTE':
    joinsKeys,
  'tables that are not joined by their key': joinsWithoutKey,
  'a correlated subquery beside a function in FROM: use an inner join and LATERAL':
    correlatesWithFunction,
  'LIMIT or OFFSET in a lateral subquery over a function or a CTE: use parameters':
    limitsOverResult,
  'a LEFT JOIN from a function, values or a CTE to a table: use an inner join': leftJoinsTable,
  'an aggregate in a lateral subquery over a table that is whole on each server: ask for each row of it':
    aggregatesPerRow,
  'a column beside GROUP BY that is computed from what is grouped: compute it around the grouping':
    computesFromGroup,
};

const isRecursive = ({ withClause }: Fields): boolean =>
  (withClause as { recursive?: boolean } | undefined)?.recursive === true;

export const refusedReads = (part: PlannedPart): string[] =>
  Object.entries(RULES).flatMap(([refusal, isBroken]) => (isBroken(part) ? [refusal] : []));

function isLockedAcrossKeys({ nodes }: PlannedPart): boolean {
  return [...nodes()].some(
    ({ kind, fields }) =>
      kind === 'SelectStmt' &&
      'lockingClause' in fields &&
      (skipsLocked(fields) || !tablesIn(fields).every((use) => isPinned(use, fields))),
  );
}

const skipsLocked = ({ lockingClause }: Fields): boolean =>
  nodesOf(lockingClause, 'LockingClause').some(({ waitPolicy }) => waitPolicy === 'LockWaitSkip');

/** Whether the key of a table is said to be one parameter or constant. */
function isPinned(use: TableUse, { whereClause }: Fields): boolean {
  const key = keyOf(use);
  return (
    key === undefined ||
    equalities(whereClause, ['AEXPR_OP']).some(
      (sides) => sides.some((side) => isKey(side, use, key)) && columnsIn(sides).length === 1,
    )
  );
}

/** Of a subquery: a result without columns cannot be passed on. */
function hasEmptySelect({ nodes }: PlannedPart): boolean {
  return [...nodes()].some(
    ({ kind, fields }) =>
      kind === 'SubLink' && nodesOf(fields['subselect'], 'SelectStmt').some(isEmptySelect),
  );
}

const isEmptySelect = (select: Fields): boolean =>
  'fromClause' in select && !('targetList' in select);

function joinsKeys({ tables }: PlannedPart): boolean {
  return new Set(tables.map(keyOf).filter((key) => key !== undefined)).size > 1;
}

function joinsWithoutKey({ tables, nodes }: PlannedPart): boolean {
  const distributed = tables.filter(isDistributed);
  if (distributed.length < 2 || joinsKeys({ tables } as PlannedPart)) return false;
  const all = [...nodes()];
  const sides = all.flatMap(({ kind, fields }) => (kind === 'A_Expr' ? equalities(fields) : []));
  const using = all.flatMap(({ kind, fields }) =>
    kind === 'JoinExpr' ? namesIn(fields['usingClause']) : [],
  );
  return !distributed.every((use) => {
    const key = keyOf(use)!;
    return using.includes(key) || sides.some((pair) => pair.some((side) => isKey(side, use, key)));
  });
}

/** The two sides of each `=`, `= ANY` and `IN`. */
function equalities(value: unknown, kinds = ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN']): unknown[][] {
  const own =
    value !== null && typeof value === 'object' && 'lexpr' in value
      ? [value as Fields]
      : nodesOf(value, 'A_Expr');
  return own
    .filter(({ name, kind }) => namesIn(name)[0] === '=' && kinds.includes(String(kind)))
    .map(({ lexpr, rexpr }) => [lexpr, rexpr]);
}

/** `u.user_id`, or `user_id` alone. */
function isKey(side: unknown, { alias }: TableUse, key: string): boolean {
  const fields = (side as { ColumnRef?: Fields } | undefined)?.ColumnRef?.['fields'];
  const column = fields ? namesIn(fields) : [];
  return columnNames(column) === key && (column.length === 1 || column[0] === alias);
}

function correlatesWithFunction({ nodes }: PlannedPart): boolean {
  return selects(nodes()).some((select) => {
    const functions = recurringIn(select['fromClause'], new Set());
    if (functions.size === 0) return false;
    const links = nodesOf([select['targetList'], select['whereClause']], 'SubLink', isSubquery);
    return links.some(({ subselect }) => readsTables(subselect) && refersTo(subselect, functions));
  });
}

function limitsOverResult({ nodes, results }: PlannedPart): boolean {
  return selects(nodes()).some((select) => {
    const around = recurringIn(select['fromClause'], results);
    return nodesOf(select['fromClause'], 'RangeSubselect').some(
      ({ lateral, subquery }) =>
        lateral === true &&
        hasLimit(subquery) &&
        readsTables(subquery) &&
        isInnerJoined(select, subquery) &&
        refersTo(subquery, around),
    );
  });
}

const hasLimit = (query: unknown): boolean =>
  nodesOf(query, 'SelectStmt').some((select) => 'limitCount' in select || 'limitOffset' in select);

/** Behind LEFT JOIN LATERAL a limit is taken for each row, wherever that row comes from. */
function isInnerJoined(select: Fields, subquery: unknown): boolean {
  return !nodesOf(select['fromClause'], 'JoinExpr').some(
    ({ jointype, rarg }) =>
      jointype === 'JOIN_LEFT' && nodesOf(rarg, 'RangeSubselect')[0]?.['subquery'] === subquery,
  );
}

function leftJoinsTable({ nodes, results }: PlannedPart): boolean {
  return [...nodes()].some(({ kind, fields }) => {
    if (kind !== 'JoinExpr' || fields['jointype'] !== 'JOIN_LEFT') return false;
    return (
      recurringIn(fields['larg'], results).size > 0 &&
      !readsTables(fields['larg']) &&
      readsTables(fields['rarg'])
    );
  });
}

const AGGREGATES = ['count', 'sum', 'min', 'max', 'avg', 'array_agg', 'json_agg', 'jsonb_agg'];
const aggregates = (value: unknown): boolean =>
  callsIn(value).some((name) => AGGREGATES.includes(name));

/**
 * Rows of a table that is whole everywhere, each with what is counted of one that is distributed.
 */
function aggregatesPerRow({ nodes }: PlannedPart): boolean {
  return selects(nodes()).some((select) => {
    const laterals = nodesOf(select['fromClause'], 'RangeSubselect').filter(
      ({ lateral }) => lateral === true,
    );
    const inside = new Set(laterals.flatMap(({ subquery }) => tablesIn(subquery)).map(nameOfUse));
    const whole = tablesIn(select['fromClause'])
      .filter((use) => !isDistributed(use) && !inside.has(nameOfUse(use)))
      .map(({ alias }) => alias);
    return laterals.some(
      ({ subquery }) =>
        nodesOf(subquery, 'SelectStmt').some(({ targetList }) => aggregates(targetList)) &&
        readsTables(subquery) &&
        refersTo(subquery, new Set(whole)),
    );
  });
}

const nameOfUse = ({ table, alias }: TableUse): string => `${table} ${alias}`;

/**
 * Each server groups, and the coordinator groups again: then it no longer has what a column was
 * computed from.
 */
function computesFromGroup({ nodes }: PlannedPart): boolean {
  return selects(nodes()).some((select) => {
    const groups = (select['groupClause'] as unknown[] | undefined) ?? [];
    const grouped = columnsIn(groups).map(columnNames);
    const isByKey = tablesIn(select['fromClause']).some((use) =>
      grouped.includes(keyOf(use) ?? ''),
    );
    if (groups.length === 0 || isByKey || !readsTables(select['fromClause'])) return false;
    const texts = new Set(groups.map(textOfNode));
    return nodesOf(select['targetList'], 'ResTarget').some(
      ({ val }) =>
        !('ColumnRef' in (val as object)) &&
        !aggregates(val) &&
        !texts.has(textOfNode(val)) &&
        columnsIn(val).some((column) => grouped.includes(columnNames(column))),
    );
  });
}

/** What a node says, wherever it stands. */
const textOfNode = (node: unknown): string =>
  JSON.stringify(node, (name, value: unknown) => (name === 'location' ? undefined : value));

const refersTo = (value: unknown, names: ReadonlySet<string>): boolean =>
  columnsIn(value).some((column) => column.length > 1 && names.has(column[0]!));

const isSubquery = ({ kind }: SqlNode): boolean =>
  kind === 'RangeSubselect' || kind === 'CommonTableExpr';

const selects = (nodes: Iterable<SqlNode>): Fields[] =>
  [...nodes].filter(({ kind }) => kind === 'SelectStmt').map(({ fields }) => fields);
