import type { ComponentChildren } from 'preact';
import type { EffectLine, GivenUpLine, Some } from '../../src/operations/operations-views.js';
import { call, path } from '../api/call.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Link } from '../controls/link.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { Ago, countText } from '../controls/time.js';
import { useFlowNames } from '../controls/use-flow-names.js';
import { to } from '../router/router.js';
import { mayEdit } from '../session/session.js';

const KINDS = { webhook: 'webhook', 'flow-trigger': 'flow trigger', event: 'event for endpoint' };

interface Found {
  givenUp: Some<GivenUpLine>;
  waiting: Some<EffectLine>;
}

/**
 * What was given up on its way out, of flows and of endpoints, and the webhooks and flow triggers
 * that wait (S19, E8).
 */
export function Effects({ environment }: { environment: string }) {
  const found = useAnswer<Found>(path`/api/${environment}/effects`);
  const doing = useDoing();
  const retry = (id: string) =>
    doing.run(() =>
      call(path`/api/${environment}/effects/${id}/retry`, { body: {} }).then(found.reload),
    );
  const retryButton = (id: string) =>
    mayEdit.value && (
      <button type="button" class="tight" disabled={doing.isBusy} onClick={() => void retry(id)}>
        Try again now
      </button>
    );
  const nameOf = useFlowNames(environment);
  return (
    <section class="stack close">
      <h2>Webhooks, flow triggers and events</h2>
      <Doing of={doing} />
      <Shown of={found} what="what is sent">
        {({ givenUp, waiting }) => (
          <>
            {givenUp.rows.length + waiting.rows.length === 0 && (
              <Empty title="Nothing waits, nothing has failed" />
            )}
            {givenUp.rows.length > 0 && (
              <Table
                {...givenUp}
                keyOf={({ kind, to: receiver, id }) => `${kind} ${receiver} ${id}`}
                columns={givenUpColumns(environment, nameOf, retryButton)}
              />
            )}
            {waiting.rows.length > 0 && (
              <Table
                {...waiting}
                keyOf={({ id }) => id}
                columns={waitingColumns(environment, nameOf, retryButton)}
              />
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

type RetryButton = (id: string) => ComponentChildren;
type NameOf = ReturnType<typeof useFlowNames>;

const givenUpColumns = (
  environment: string,
  nameOf: NameOf,
  retry: RetryButton,
): Column<GivenUpLine>[] => [
  {
    title: 'Given up',
    isHead: true,
    cell: ({ kind, to: receiver, flow, version }) => (
      <What what={`${KINDS[kind]}: ${receiver}`} flow={nameOf(flow)} version={version} />
    ),
  },
  userColumn(environment),
  { title: 'Why', isLong: true, cell: ({ error }) => error },
  { title: 'When', isFaint: true, cell: ({ failedAt }) => <Ago at={failedAt} /> },
  { cell: ({ kind, id }) => kind !== 'event' && retry(id) },
];

const waitingColumns = (
  environment: string,
  nameOf: NameOf,
  retry: RetryButton,
): Column<EffectLine>[] => [
  {
    title: 'Waits',
    isHead: true,
    cell: ({ what, flow, version }) => <What what={what} flow={nameOf(flow)} version={version} />,
  },
  userColumn(environment),
  {
    title: 'So far',
    isLong: true,
    cell: ({ attempts, lastError }) => (
      <>
        {attemptsText(attempts)}
        {lastError && <p class="faint small">{lastError}</p>}
      </>
    ),
  },
  { title: 'Since', isFaint: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { cell: ({ id }) => retry(id) },
];

const attemptsText = (attempts: number): string =>
  attempts === 0
    ? 'not tried yet'
    : attempts === 1
      ? 'tried once'
      : `tried ${countText(attempts)} times`;

const userColumn = (environment: string) => ({
  title: 'For',
  cell: ({ user }: { user: string }) => <Link to={to(environment, 'users', user)}>{user}</Link>,
});

function What({ what, flow, version }: { what: string; flow: string; version: number }) {
  return (
    <>
      {what}
      <p class="faint small">
        {flow}, version {version}
      </p>
    </>
  );
}
