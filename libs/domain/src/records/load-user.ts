import type { DataSource } from 'typeorm';
import { compile, type FlowDefinition, type FlowState } from '../engine/index.js';
import { flowView } from '../states/state/flow-json.js';
import type { BlockView, FlowView } from '../states/state/flow-view.js';
import { userId } from '../users/subject-id.js';
import { unknownUser } from '../users/identifier.js';

/** A user with everything an operator looks for. */
export interface UserView {
  identifier: string;
  /** The raw text of a JSON object: numbers beyond 2^53 are as they were sent (U2). */
  properties: string;
  groups: UserGroup[];
  /** What the user did, by name (Z2). */
  events: UserEventView[];
  flows: UserFlow[];
  createdAt: Date;
  updatedAt: Date;
}

/** How often a user did something, and when. */
interface UserEventView {
  name: string;
  count: number;
  first: Date;
  last: Date;
}

/** A group that the user belongs to, with its properties as those of users. */
interface UserGroup {
  identifier: string;
  properties: string;
}

/**
 * The state of one version of a flow, as it is stored: neither migrated nor adapted to later edits.
 */
export interface UserFlow {
  flow: string;
  version: number;
  revision: number;
  state: FlowView['state'];
  blocks: Pick<BlockView, 'sid' | 'uid' | 'type' | 'state' | 'transitioned'>[];
}

interface UserStateRow {
  flow: string;
  version: number;
  revision: number;
  state: FlowState;
  definition: FlowDefinition | null;
}

/** Throws `user.unknown` for a user who was never identified there (B3). */
export async function loadUser(
  dataSource: DataSource,
  environmentId: string,
  identifier: string,
): Promise<UserView> {
  const id = userId(environmentId, identifier);
  const [user] = (await dataSource.query(
    'SELECT identifier, properties::text AS properties, created_at AS "createdAt", updated_at AS "updatedAt" FROM users WHERE user_id = $1',
    [id],
  )) as Omit<UserView, 'groups' | 'events' | 'flows'>[];
  if (!user) throw unknownUser(identifier);
  const groups = (await dataSource.query(
    `WITH m AS MATERIALIZED (SELECT group_id FROM memberships WHERE user_id = $1)
     SELECT g.identifier, g.properties::text AS properties FROM m JOIN groups g USING (group_id) ORDER BY g.identifier`,
    [id],
  )) as UserGroup[];
  const events: UserEventView[] = await dataSource.query(
    'SELECT name, count::float8 AS count, first_at AS first, last_at AS last FROM user_events WHERE user_id = $1 ORDER BY name',
    [id],
  );
  const states = (await dataSource.query(
    `SELECT s.flow, s.version, s.revision, s.state, v.definition
       FROM flow_states s LEFT JOIN flow_versions v USING (flow, version) WHERE s.user_id = $1 ORDER BY s.flow, s.version`,
    [id],
  )) as UserStateRow[];
  const { properties, createdAt, updatedAt } = user;
  return {
    identifier: user.identifier,
    properties,
    groups,
    events,
    flows: states.map(userFlow),
    createdAt,
    updatedAt,
  };
}

function userFlow({ flow, version, revision, state, definition }: UserStateRow): UserFlow {
  const { started, stopped, finished } = state;
  const blocks = definition ? blocksOf(flow, version, definition, { state, revision }) : [];
  return { flow, version, revision, state: { started, stopped, finished }, blocks };
}

type Numbered = Parameters<typeof flowView>[1];

function blocksOf(
  flow: string,
  version: number,
  definition: FlowDefinition,
  state: Numbered,
): UserFlow['blocks'] {
  const { blocks = [] } = flowView({ flow, version, compiled: compile(definition) }, state, true);
  return blocks.map((block) => ({
    sid: block.sid,
    uid: block.uid,
    type: block.type,
    state: block.state,
    transitioned: block.transitioned,
  }));
}
