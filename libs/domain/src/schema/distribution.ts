/**
 * The tables that grow with the users and the column by which Citus spreads each over its servers
 * (G2). All with the same column lie together.
 */
export const DISTRIBUTION_KEYS = {
  users: 'user_id',
  memberships: 'user_id',
  flow_states: 'user_id',
  flow_events: 'user_id',
  effects: 'user_id',
  delays: 'user_id',
  attention_states: 'user_id',
  user_events: 'user_id',
  tracked_users: 'user_id',
  groups: 'group_id',
} as const;

/**
 * All other tables are small and are whole on each server (G2); those that others refer to come
 * first.
 */
export const REFERENCE_TABLES = [
  'environments',
  'api_keys',
  'signers',
  'flows',
  'flow_versions',
  'flow_pins',
  'block_uids',
  'reference_revisions',
  'reset_runs',
  'endpoints',
  'endpoint_progress',
  'endpoint_failures',
  'audit_log',
  'ended_sessions',
  'engine_level',
  'attention_groups',
  'segments',
  'migrations',
] as const;
