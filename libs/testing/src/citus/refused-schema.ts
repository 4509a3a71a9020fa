import { DISTRIBUTION_KEYS } from '@waymark/domain/schema';
import { callsIn, type Fields, namesIn, nodesOf } from './sql-tree.js';

const NO_KEY = 'a unique index or constraint without the distribution key: name the key too';
const TRIGGER = 'a trigger on a table that is distributed';
const OWN_NUMBERS = 'an identity column or a sequence: each server would count by itself';
const FOREIGN_KEY = 'a foreign key from or to a table that is distributed';
const KEY_KEPT = 'the distribution key dropped or of another type';

type Rule = (fields: Fields) => string[];

/**
 * What Citus refuses of a change to the schema of tables that are distributed, by the kind of
 * statement (G2).
 */
const RULES: Readonly<Record<string, Rule>> = {
  IndexStmt: (index) => {
    const key = keyOf(index['relation']);
    if (key === undefined || index['unique'] !== true) return [];
    return nodesOf(index['indexParams'], 'IndexElem').some(({ name }) => name === key)
      ? []
      : [NO_KEY];
  },
  CreateTrigStmt: ({ relation }) => (keyOf(relation) === undefined ? [] : [TRIGGER]),
  CreateStmt: ({ relation, tableElts }) => {
    const key = keyOf(relation);
    return [...refusedColumns(key, tableElts), ...refusedConstraints(key, tableElts)];
  },
  AlterTableStmt: ({ relation, cmds }) => {
    const key = keyOf(relation);
    return nodesOf(cmds, 'AlterTableCmd').flatMap((command) => refusedCommand(key, command));
  },
};

export const refusedSchema = (statement: unknown): string[] =>
  Object.entries(RULES).flatMap(([kind, rule]) => nodesOf(statement, kind).flatMap(rule));

function refusedCommand(key: string | undefined, { subtype, name, def }: Fields): string[] {
  if (
    key !== undefined &&
    name === key &&
    ['AT_DropColumn', 'AT_AlterColumnType'].includes(String(subtype))
  )
    return [KEY_KEPT];
  if (key !== undefined && subtype === 'AT_AddIdentity') return [OWN_NUMBERS];
  return [...refusedColumns(key, def), ...refusedConstraints(key, def)];
}

function refusedColumns(key: string | undefined, definition: unknown): string[] {
  if (key === undefined) return [];
  return nodesOf(definition, 'ColumnDef').flatMap(({ colname, typeName, constraints }) => {
    const isNumbered =
      namesIn(typeName).some((type) => type.endsWith('serial')) ||
      callsIn(constraints).includes('nextval') ||
      nodesOf(constraints, 'Constraint').some(({ contype }) => contype === 'CONSTR_IDENTITY');
    const isUnique = nodesOf(constraints, 'Constraint').some(isUniqueness) && colname !== key;
    return [...(isNumbered ? [OWN_NUMBERS] : []), ...(isUnique ? [NO_KEY] : [])];
  });
}

/** Foreign keys between two tables that are copied to every server are fine. */
function refusedConstraints(key: string | undefined, definition: unknown): string[] {
  return nodesOf(definition, 'Constraint').flatMap((constraint) => {
    const { contype, pktable, keys } = constraint;
    if (contype === 'CONSTR_FOREIGN' && (key !== undefined || keyOf(pktable) !== undefined))
      return [FOREIGN_KEY];
    // One beside a column has no keys of its own; it is looked at with the column.
    return key !== undefined && isUniqueness(constraint) && keys && !namesIn(keys).includes(key)
      ? [NO_KEY]
      : [];
  });
}

const isUniqueness = ({ contype }: Fields): boolean =>
  contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY';

const keyOf = (relation: unknown): string | undefined =>
  (DISTRIBUTION_KEYS as Record<string, string>)[
    String((relation as Fields | undefined)?.['relname'])
  ];
