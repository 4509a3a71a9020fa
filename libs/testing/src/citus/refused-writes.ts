import { DISTRIBUTION_KEYS } from '@waymark/domain/schema';
import type { PlannedPart } from './planned-parts.js';
import { callsIn, columnsIn, type Fields, nodesIn, nodesOf, tablesIn } from './sql-tree.js';

/** Functions that return something else at each call. */
const VOLATILE = ['clock_timestamp', 'timeofday', 'random', 'gen_random_uuid', 'nextval', 'setval'];
/** Functions that return the same throughout a statement, but not for ever. */
const STABLE = [
  'now',
  'statement_timestamp',
  'transaction_timestamp',
  'pg_current_xact_id',
  'pg_current_snapshot',
  'current_setting',
];
const MUTABLE = [...VOLATILE, ...STABLE];

const calls = (value: unknown, functions: readonly string[]): boolean =>
  callsIn(value).some((name) => functions.includes(name));

/**
 * What Citus refuses in a statement that writes: each shard would have to come to the same result.
 */
export function refusedWrites({ nodes }: PlannedPart): string[] {
  const refusals: string[] = [];
  for (const { kind, fields } of nodes()) {
    if (kind === 'InsertStmt') refusals.push(...refusedConflict(fields), ...refusedSource(fields));
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') refusals.push(...refusedChange(fields));
  }
  return refusals;
}

function refusedConflict({ onConflictClause }: Fields): string[] {
  if (!calls(onConflictClause, MUTABLE)) return [];
  return [
    'a function that is not immutable in DO UPDATE SET: select it as a column and use excluded',
  ];
}

/**
 * Rows of a CTE or a function are sent to every server first: one that is lost stops them, and they
 * come slowly (G4).
 */
function refusedSource({ relation, selectStmt }: Fields): string[] {
  const select = nodesOf(selectStmt, 'SelectStmt')[0] ?? {};
  const isSent = isDistributed(relation as Fields) && 'fromClause' in select;
  return isSent && !tablesIn(select).some(({ table }) => table in DISTRIBUTION_KEYS)
    ? ['an insert from a SELECT without a distributed table: list VALUES, or select from one']
    : [];
}

const isDistributed = ({ relname }: Fields): boolean => String(relname) in DISTRIBUTION_KEYS;

function refusedChange({ targetList, whereClause }: Fields): string[] {
  const refusals: string[] = [];
  if (calls([targetList, whereClause], VOLATILE)) refusals.push('a volatile function in an update');
  if (branchesOf([targetList, whereClause]).some((branch) => calls(branch, MUTABLE)))
    refusals.push(
      'a function that is not immutable in CASE or COALESCE of an update: put the condition into WHERE',
    );
  if (nodesOf([targetList, whereClause], 'A_Expr').some(mixesTimeAndColumn))
    refusals.push('a stable function that is called with a column in an update: compute it before');
  return refusals;
}

const branchesOf = (value: unknown): Fields[] =>
  [...nodesIn(value)]
    .filter(({ kind }) => kind === 'CoalesceExpr' || kind === 'CaseExpr')
    .map(({ fields }) => fields);

/** `now() - created_at`; a comparison of the two is fine. */
function mixesTimeAndColumn({ name, lexpr, rexpr }: Fields): boolean {
  const operator = nodesOf(name, 'String')[0]?.['sval'];
  if (!['+', '-', '*', '/'].includes(String(operator))) return false;
  const sides = [lexpr, rexpr];
  return sides.some((side) => calls(side, STABLE)) && columnsIn(sides).length > 0;
}
