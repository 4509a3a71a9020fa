import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Left out for a column of buttons. */
  title?: string;
  /** Names its row, for those who hear the table. */
  isHead?: boolean;
  isNumber?: boolean;
  /** What matters less than the rest. */
  isFaint?: boolean;
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
  columns: readonly Column<Row>[];
}

/** Rows under titles; where there is no room for all columns it scrolls, with the keyboard too. */
export function Table<Row>({ rows, keyOf, columns }: TableProps<Row>) {
  return (
    <div class="table-box" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {title ?? <span class="unseen">Actions</span>}
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

function Cell<Row>({ column: { title, isHead, isNumber, isFaint, cell }, row }: { column: Column<Row>; row: Row }) {
  if (isHead) return <th scope="row">{cell(row)}</th>;
  const names = [isNumber && 'number', isFaint && 'faint', title === undefined && 'actions'].filter(Boolean).join(' ');
  return <td class={names || undefined}>{cell(row)}</td>;
}
