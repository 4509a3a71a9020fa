/**
 * What is added to the number of a transaction to make a place, as the default of the column says. It rises when a database
 * was restored into a cluster that counts its transactions from the beginning (E2).
 */
export const ORIGIN_SQL = `(
  SELECT coalesce(substring(pg_get_expr(d.adbin, d.adrelid) FROM '\\+ ''?(\\d+)')::bigint, 0)
  FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = 'flow_events'::regclass AND a.attname = 'place')`;

/**
 * The first place that may still get events: everything below it is committed and seen by the very statement in which this
 * stands, or will never be (E1).
 */
export const HORIZON_SQL = `(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${ORIGIN_SQL})`;
