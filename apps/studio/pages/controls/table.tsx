import type { ComponentChildren } from 'preact';
import { countText } from './time.js';

export interface Column<Row> {
  /** Left out for a column of buttons. */
  title?: string;
  /** Names its row, for those who hear the table. */
  isHead?: boolean;
  isNumber?: boolean;
  /** What matters less than the rest. */
  isFaint?: boolean;
  /** Left out where there is little room. */
  isForWide?: boolean;
  /** Sentences and addresses, which need more room than names. */
  isLong?: boolean;
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
  columns: readonly Column<Row>[];
  /** Of rows that are read one by one, such as those of the log. */
  isCards?: boolean;
  /** Whether there are more than these. */
  hasMore?: boolean;
}

/**
 * Rows under titles. Where there is no room for all columns it scrolls, with the keyboard too; rows
 * with buttons, and those that are read one by one, are cards there.
 */
export function Table<Row>({ hasMore = false, ...shown }: TableProps<Row>) {
  if (!hasMore) return <TableBox {...shown} />;
  return (
    <>
      <TableBox {...shown} />
      <p class="faint small">The first {countText(shown.rows.length)} are shown.</p>
    </>
  );
}

function TableBox<Row>({ rows, keyOf, columns, isCards = false }: TableProps<Row>) {
  return (
    <div class="table-box" tabIndex={0}>
      <table class={isCards || columns.some(isOfButtons) ? 'as-cards' : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classesOf(column, 'isFaint')}>
                {column.title ?? <span class="unseen">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row);
  return column.isHead ? (
    <th scope="row" class={classesOf(column)}>
      {content}
    </th>
  ) : (
    <td class={classesOf(column)} data-title={column.title}>
      {content}
    </td>
  );
}

const isOfButtons = <Row,>({ title }: Column<Row>): boolean => title === undefined;

const CLASSES = {
  isNumber: 'number',
  isFaint: 'faint',
  isForWide: 'only-wide',
  isLong: 'any-length',
} as const;
type Trait = keyof typeof CLASSES;

function classesOf<Row>(column: Column<Row>, without?: Trait): string | undefined {
  const traits = (Object.keys(CLASSES) as Trait[]).filter(
    (trait) => column[trait] && trait !== without,
  );
  const names = [
    ...traits.map((trait) => CLASSES[trait]),
    ...(isOfButtons(column) ? ['actions'] : []),
  ];
  return names.join(' ') || undefined;
}
