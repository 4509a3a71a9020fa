import type { Session } from '../../command-line/session.js';
import { parseStart } from '../../command-line/arguments.js';
import {
  environment,
  flow,
  moment,
  PAGE,
  paged,
  user,
  version,
  wholeNumber,
  word,
} from './inputs.js';
import { type Document, tool } from './tool.js';

/** Tools that read users, and what happened. */
export const USER_TOOLS = [
  tool({
    name: 'user_show',
    title: 'A user',
    description: 'The groups of a user and their state in each flow.',
    shape: { environment, user },
    work: ({ user }) => ({ command: 'user show', operands: [user] }),
    withoutProperties({ properties: _, groups, ...rest }) {
      const known = groups as readonly { readonly properties: unknown }[];
      return { ...rest, groups: known.map(({ properties: _, ...group }) => group) };
    },
  }),
  tool({
    name: 'user_history',
    title: 'The history of a user',
    description:
      'The recorded events of a user in a flow, the newest 1,000, oldest first, or with `at` the state after that revision. Where `hasEarlier` says so, call again with `before`.',
    shape: {
      environment,
      user,
      flow,
      version: version.optional(),
      at: wholeNumber.optional(),
      before: wholeNumber.optional().describe('Only events before that revision'),
      ...paged,
    },
    list: 'events',
    work: ({ user, flow, version, at, before }) => ({
      command: 'history',
      operands: [user, flow],
      options: { version, at, before },
    }),
  }),
  tool({
    name: 'event_list',
    title: 'Events',
    description:
      'What happened in the environment, oldest first. Call again with the `cursor` of the answer for what came after.',
    shape: {
      environment,
      flow: flow.optional(),
      from: word.optional().describe('beginning, now, or a time; beginning without it'),
      cursor: word.optional().describe('That of the answer before'),
      limit: paged.limit,
    },
    work: (input) => (session) => loadEvents(session, input),
  }),
  tool({
    name: 'audit_list',
    title: 'The audit log',
    description: 'The changes that operators made, in all environments, the newest first.',
    shape: {
      environment,
      since: moment.optional(),
      what: word.optional().describe('Such as flow.commit, or flow for all about flows'),
      user: user.optional(),
      by: word.optional().describe('Only the changes of that name'),
      ...paged,
    },
    list: 'entries',
    work: ({ since, what, user, by, limit, offset }) => ({
      command: 'audit list',
      by,
      options: { since, what, user, limit: limit + offset + 1 },
    }),
  }),
  tool({
    name: 'problem_list',
    title: 'What could not be delivered',
    description:
      'Webhooks, flow triggers and events for endpoints that were given up, the newest first.',
    shape: { environment, ...paged },
    list: 'failures',
    work: ({ limit, offset }) => ({ command: 'failures', options: { limit: limit + offset + 1 } }),
  }),
];

interface EventQuery {
  readonly flow?: string | undefined;
  readonly from?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number;
}

/**
 * As `events export` reads them; that command writes to standard output, which is for answers only.
 */
async function loadEvents(
  session: Session,
  { flow, from = 'beginning', cursor, limit = PAGE.usual }: EventQuery,
): Promise<Document> {
  const { exportEvents } = await import('@waymark/domain/events');
  const { Database } = await import('@waymark/domain/database');
  const start = parseStart(from);
  const { dataSource, environmentId: id } = await session.openEnvironment();
  const batches = exportEvents(
    new Database(dataSource, false),
    dataSource.manager,
    { id, name: session.environment },
    {
      from: start,
      limit,
      ...(flow !== undefined && { flow }),
      ...(cursor !== undefined && { cursor }),
    },
  );
  const events: unknown[] = [];
  let last = cursor;
  for await (const batch of batches) {
    events.push(...batch.events);
    last = batch.cursor;
  }
  return { events, cursor: last ?? null };
}
