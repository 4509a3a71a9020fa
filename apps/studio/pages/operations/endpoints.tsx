import { useState } from 'preact/hooks';
import type {
  EndpointLine,
  EndpointsShown,
  TestResult,
} from '../../src/endpoints/endpoint-views.js';
import { call, path } from '../api/call.js';
import { Confirm } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { Ago, countText, lengthText } from '../controls/time.js';
import { mayEdit } from '../session/session.js';
import { NewEndpoint } from './new-endpoint.js';

/** Where events are sent, how far behind each is, and what went wrong (E6). */
export function Endpoints({ environment }: { environment: string }) {
  const endpoints = useAnswer<EndpointsShown>(path`/api/${environment}/endpoints`);
  const [isMaking, setMaking] = useState(false);
  return (
    <section class="stack close">
      <div class="row apart">
        <h2>Endpoints</h2>
        {mayEdit.value && (
          <button type="button" onClick={() => setMaking(true)}>
            New endpoint
          </button>
        )}
      </div>
      <Shown of={endpoints} what="the endpoints">
        {(shown) =>
          shown.endpoints.length === 0 ? (
            <Empty title="No endpoints yet">
              <p>Waymark sends events to an endpoint as they happen.</p>
            </Empty>
          ) : (
            <EndpointTable environment={environment} shown={shown} onDone={endpoints.reload} />
          )
        }
      </Shown>
      {isMaking && (
        <NewEndpoint
          environment={environment}
          onClose={() => {
            setMaking(false);
            endpoints.reload();
          }}
        />
      )}
    </section>
  );
}

interface EndpointTableProps {
  environment: string;
  shown: EndpointsShown;
  onDone: () => void;
}

function EndpointTable({
  environment,
  shown: { endpoints, mostBacklog, holdingBack },
  onDone,
}: EndpointTableProps) {
  const doing = useDoing();
  const [testResult, setTestResult] = useState<string>();
  const [removing, setRemoving] = useState<string>();
  const post = <Answer,>(name: string, action: string): Promise<Answer> =>
    call<Answer>(path`/api/${environment}/endpoints/${name}/${action}`, { body: {} });
  const test = (name: string): Promise<boolean> =>
    doing.run(async () => {
      setTestResult(undefined);
      const { status, text } = await post<TestResult>(name, 'test');
      setTestResult(`${name} ${describeTest(status, text)}`);
    });
  const columns: Column<EndpointLine>[] = [
    ...columnsWith(mostBacklog),
    {
      cell: (endpoint) =>
        mayEdit.value && (
          <Actions
            endpoint={endpoint}
            isBusy={doing.isBusy}
            onTest={() => void test(endpoint.name)}
            onSwitch={(action) => void doing.run(() => post(endpoint.name, action).then(onDone))}
            onRemove={() => setRemoving(endpoint.name)}
          />
        ),
    },
  ];
  return (
    <>
      {holdingBack && (
        <p class="note warn">
          What was written in the last {lengthText(holdingBack.seconds)} waits for a transaction
          that is still open: {holdingBack.what}.
        </p>
      )}
      <Doing of={doing} />
      {testResult && (
        <p class="note" role="status">
          {testResult}
        </p>
      )}
      <Table rows={endpoints} keyOf={({ name }) => name} columns={columns} />
      {removing !== undefined && (
        <RemoveEndpoint
          name={removing}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await post(removing, 'remove');
            setRemoving(undefined);
            onDone();
          }}
        />
      )}
    </>
  );
}

/** What is known of each endpoint; the backlog is counted up to `mostBacklog`. */
const columnsWith = (mostBacklog: number): Column<EndpointLine>[] => [
  {
    title: 'Endpoint',
    isHead: true,
    isLong: true,
    cell: ({ name, url }) => (
      <>
        {name}
        <p class="faint small">{url}</p>
      </>
    ),
  },
  { title: 'State', isLong: true, cell: (row) => <State row={row} /> },
  { title: 'Waiting', cell: (row) => <Backlog row={row} most={mostBacklog} /> },
  {
    title: 'Last success',
    isFaint: true,
    cell: ({ lastSuccess }) => (lastSuccess ? <Ago at={lastSuccess} /> : 'never'),
  },
];

interface ActionsProps {
  endpoint: EndpointLine;
  isBusy: boolean;
  onTest: () => void;
  onSwitch: (action: 'pause' | 'resume') => void;
  onRemove: () => void;
}

function Actions({ endpoint: { state }, isBusy, onTest, onSwitch, onRemove }: ActionsProps) {
  const isPaused = state === 'paused';
  return (
    <div class="row">
      <button type="button" class="tight" disabled={isBusy} onClick={onTest}>
        Test
      </button>
      <button
        type="button"
        class="tight"
        disabled={isBusy}
        onClick={() => onSwitch(isPaused ? 'resume' : 'pause')}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      <button type="button" class="tight danger" onClick={onRemove}>
        Remove…
      </button>
    </div>
  );
}

interface RemoveEndpointProps {
  name: string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

function RemoveEndpoint({ name, onClose, onConfirm }: RemoveEndpointProps) {
  return (
    <Confirm
      title={`Remove the endpoint ${name}`}
      button="Remove"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        Nothing more is sent to it. How far it had come and what it refused is forgotten, which
        cannot be undone.
      </p>
    </Confirm>
  );
}

function describeTest(status: TestResult['status'], text: string): string {
  if (status === null) return `gives no answer: ${text}`;
  const isTaken = status >= 200 && status <= 299;
  return `${isTaken ? 'accepted the test' : 'refused the test'}: it answered ${status}${text && ` “${text}”`}`;
}

const COLOURS = { delivering: 'good', down: 'bad', paused: 'warn', ended: 'bad' };

function State({ row: { state, pauseReason, lastError, failures } }: { row: EndpointLine }) {
  return (
    <>
      <span class={`chip ${COLOURS[state]}`}>{state}</span>
      {pauseReason && <p class="faint small">{pauseReason}</p>}
      {lastError && <p class="faint small">{lastError}</p>}
      {failures > 0 && <p class="faint small">{countText(failures)} refused for good</p>}
    </>
  );
}

function Backlog({ row: { backlog, oldestSeconds }, most }: { row: EndpointLine; most: number }) {
  if (backlog === 0) return <span class="faint">nothing</span>;
  return (
    <>
      {countText(backlog)}
      {backlog === most && ' or more'} {backlog === 1 ? 'event' : 'events'}
      {oldestSeconds !== null && (
        <p class="faint small">the oldest for {lengthText(oldestSeconds)}</p>
      )}
    </>
  );
}
