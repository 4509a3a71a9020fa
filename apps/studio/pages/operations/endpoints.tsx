import { useState } from 'preact/hooks';
import type { EndpointLine, EndpointsShown, Tested } from '../../src/endpoints/endpoint-views.js';
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
            <Found environment={environment} shown={shown} onDone={endpoints.reload} />
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

interface FoundProps {
  environment: string;
  shown: EndpointsShown;
  onDone: () => void;
}

function Found({
  environment,
  shown: { endpoints, mostBacklog, holdingBack },
  onDone,
}: FoundProps) {
  const doing = useDoing();
  const [told, tell] = useState<string>();
  const [leaving, setLeaving] = useState<string>();
  const act = (name: string, deed: 'pause' | 'resume'): Promise<boolean> =>
    doing.run(() =>
      call(path`/api/${environment}/endpoints/${name}/${deed}`, { body: {} }).then(onDone),
    );
  const test = (name: string): Promise<boolean> =>
    doing.run(async () => {
      tell(undefined);
      const { status, text } = await call<Tested>(
        path`/api/${environment}/endpoints/${name}/test`,
        { body: {} },
      );
      tell(`${name} ${describeTest(status, text)}`);
    });
  const columns: Column<EndpointLine>[] = [
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
    {
      cell: ({ name, state }) =>
        mayEdit.value && (
          <div class="row">
            <button
              type="button"
              class="tight"
              disabled={doing.isBusy}
              onClick={() => void test(name)}
            >
              Test
            </button>
            <button
              type="button"
              class="tight"
              disabled={doing.isBusy}
              onClick={() => void act(name, state === 'paused' ? 'resume' : 'pause')}
            >
              {state === 'paused' ? 'Resume' : 'Pause'}
            </button>
            <button type="button" class="tight danger" onClick={() => setLeaving(name)}>
              Remove…
            </button>
          </div>
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
      {told && (
        <p class="note" role="status">
          {told}
        </p>
      )}
      <Table rows={endpoints} keyOf={({ name }) => name} columns={columns} />
      {leaving !== undefined && (
        <Confirm
          title={`Remove the endpoint ${leaving}`}
          button="Remove"
          onClose={() => setLeaving(undefined)}
          onConfirm={async () => {
            await call(path`/api/${environment}/endpoints/${leaving}/remove`, { body: {} });
            setLeaving(undefined);
            onDone();
          }}
        >
          <p>
            Nothing more is sent to it. How far it had come and what it refused is forgotten, which
            cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

function describeTest(status: Tested['status'], text: string): string {
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
