/** Where a reader of the log is: just behind this step (E1). */
export interface LogPosition {
  /** The transaction that wrote it, as the text of a whole number. */
  readonly place: string;
  readonly userId: string;
  readonly flow: string;
  readonly version: number;
  readonly revision: number;
}

const FIRST_USER = '00000000-0000-0000-0000-000000000000';

/** Just before everything that was written at that place. */
export const beforePlace = (place: string): LogPosition => ({
  place,
  userId: FIRST_USER,
  flow: '',
  version: 0,
  revision: 0,
});

/** Before everything that was ever recorded. */
export const BEGINNING = beforePlace('0');

/** As values of a statement, in the order of the log. */
export const positionValues = ({
  place,
  userId,
  flow,
  version,
  revision,
}: LogPosition): unknown[] => [place, userId, flow, version, revision];

/**
 * What is added to the number of a transaction to make a place, as the default of the column says.
 * It rises when a database was restored into a cluster that counts its transactions from the
 * beginning (E2).
 */
export const ORIGIN_SQL = `(
  SELECT coalesce(substring(pg_get_expr(d.adbin, d.adrelid) FROM '\\+ ''?(\\d+)')::bigint, 0)
  FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = 'flow_events'::regclass AND a.attname = 'place')`;

/**
 * The first place that may still get events: everything below it is committed and seen by the very
 * statement in which this stands, or will never be (E1).
 */
export const HORIZON_SQL = `(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${ORIGIN_SQL})`;
