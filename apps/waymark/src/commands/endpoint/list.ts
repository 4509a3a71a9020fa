import type { OldestWriter } from '@waymark/domain/events';
import type { ListedEndpoint } from '@waymark/domain/outbound';
import type { Command } from '../../command-line/command.js';
import type { Session } from '../../command-line/session.js';

export function addListCommand(endpoint: Command): void {
  endpoint
    .command('list')
    .description('the endpoints, how far behind each is, and what went wrong')
    .operation(async (session) => {
      const { findOldestWriter, WORTH_A_NOTE_SECONDS } = await import('@waymark/domain/events');
      const { listEndpoints, MOST_BACKLOG } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      const endpoints = await listEndpoints(dataSource.manager, environmentId);
      const holdingBack = await findOldestWriter(dataSource.manager);
      const rows = endpoints.map((row) => endpointRow(row, MOST_BACKLOG));
      session.printOf({ endpoints, holdingBack }, session.table(rows, 'there are no endpoints'));
      if (holdingBack && holdingBack.seconds >= WORTH_A_NOTE_SECONDS)
        noteWriter(session, holdingBack);
    });
}

/** Everything after an open transaction waits for it (E3). */
function noteWriter(session: Session, writer: OldestWriter): void {
  session.note(
    `what was written in the last ${writer.seconds} s waits for a transaction that is still open: ${writer.what}`,
  );
}

function endpointRow(endpoint: ListedEndpoint, mostBacklog: number) {
  const {
    name,
    url,
    format,
    state,
    pauseReason,
    backlog,
    oldestSeconds,
    lastSuccess,
    lastError,
    failures,
  } = endpoint;
  return {
    name,
    url,
    format,
    state: pauseReason === null ? state : `${state}: ${pauseReason}`,
    backlog: backlog === mostBacklog ? `${mostBacklog.toLocaleString('en')}+` : backlog,
    'oldest (s)': oldestSeconds,
    failures,
    'last success': lastSuccess,
    'last error': lastError,
  };
}
