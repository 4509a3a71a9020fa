import { useState } from 'preact/hooks';
import type { KeyLine } from '../../src/environments/environment-views.js';
import { call, path } from '../api/call.js';
import { Dialog, DialogFoot } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Form, Select, TextInput } from '../controls/form.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { Copy, ShownOnce } from '../controls/shown-once.js';
import { type Column, Table } from '../controls/table.js';
import { Ago, At } from '../controls/time.js';
import { mayEdit } from '../session/session.js';

const KINDS = {
  blocks: 'blocks API: pages that show flows, for everybody to see',
  users: 'users API: servers that identify users, a secret',
};
type Kind = keyof typeof KINDS;
const KEY_ADVICE = {
  blocks:
    'Pages carry it, so it is no secret. One for servers is made with waymark key create --secret.',
  users: 'Keep it secret: no page may carry it.',
};

/** API keys of the environment. */
export function KeysTab({ environment }: { environment: string }) {
  const keys = useAnswer<{ keys: KeyLine[] }>(path`/api/${environment}/keys`);
  const [isCreating, setCreating] = useState(false);
  const doing = useDoing();
  const revoke = (id: string) =>
    doing.run(() =>
      call(path`/api/${environment}/keys/${id}/revoke`, { body: {} }).then(keys.reload),
    );
  return (
    <div class="stack">
      <div class="row apart">
        <p class="faint">Running services know a new or revoked key within a second.</p>
        {mayEdit.value && (
          <button type="button" class="filled" onClick={() => setCreating(true)}>
            New key
          </button>
        )}
      </div>
      <Doing of={doing} />
      <Shown of={keys} what="the keys">
        {({ keys: rows }) => (
          <KeyTable rows={rows} isBusy={doing.isBusy} onRevoke={(id) => void revoke(id)} />
        )}
      </Shown>
      {isCreating && (
        <NewKey
          environment={environment}
          onClose={() => {
            setCreating(false);
            keys.reload();
          }}
        />
      )}
    </div>
  );
}

function KeyTable({
  rows,
  isBusy,
  onRevoke,
}: {
  rows: KeyLine[];
  isBusy: boolean;
  onRevoke: (id: string) => void;
}) {
  /** The key whose button was pressed once. */
  const [confirming, setConfirming] = useState<string>();
  if (rows.length === 0)
    return (
      <Empty title="There are no keys yet">
        <p>Applications need one to identify users, and one to read flows.</p>
      </Empty>
    );
  const columns: Column<KeyLine>[] = [
    ...KEY_COLUMNS,
    {
      cell: ({ id, revokedAt }) =>
        mayEdit.value &&
        !revokedAt && (
          <button
            type="button"
            class="tight danger"
            disabled={isBusy}
            onClick={() => (confirming === id ? onRevoke(id) : setConfirming(id))}
          >
            {confirming === id ? 'Revoke for good?' : 'Revoke'}
          </button>
        ),
    },
  ];
  return <Table rows={rows} keyOf={({ id }) => id} columns={columns} />;
}

const KEY_COLUMNS: readonly Column<KeyLine>[] = [
  {
    title: 'Key',
    isHead: true,
    cell: ({ name, revokedAt, key }) => (
      <>
        {name ?? 'without a name'} {revokedAt && <span class="chip bad">revoked</span>}
        {key !== null && !revokedAt && (
          <p class="row public-key">
            <code>{key}</code> <Copy text={key} />
          </p>
        )}
      </>
    ),
  },
  { title: 'For', cell: ({ kind, isSecret }) => `${kind} API${isSecret ? ', secret' : ''}` },
  {
    title: 'Created',
    isFaint: true,
    isForWide: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
  {
    title: 'Last used',
    isFaint: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : 'never'),
  },
  {
    title: 'Expires',
    isFaint: true,
    isForWide: true,
    cell: ({ expiresAt }) => (expiresAt ? <At at={expiresAt} /> : 'never'),
  },
];

function NewKey({ environment, onClose }: { environment: string; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('blocks');
  const [name, setName] = useState('');
  const [key, setKey] = useState<string>();
  const doing = useDoing();
  const create = () =>
    doing.run(async () => {
      const body = { kind, ...(name && { name }) };
      setKey((await call<{ key: string }>(path`/api/${environment}/keys`, { body })).key);
    });
  return (
    <Dialog title={`New key for ${environment}`} onClose={onClose} isKept={key !== undefined}>
      {key === undefined ? (
        <Form onSubmit={create}>
          <Select label="For" value={kind} of={KINDS} onChange={(next) => setKind(next)} />
          <TextInput
            label="Name"
            value={name}
            maxLength={128}
            placeholder="Where it is used"
            onInput={setName}
          />
          <Doing of={doing} />
          <DialogFoot onClose={onClose}>
            <button type="submit" class="filled" disabled={doing.isBusy}>
              Create key
            </button>
          </DialogFoot>
        </Form>
      ) : (
        <ShownOnce text={key} onClose={onClose}>
          {KEY_ADVICE[kind]}
        </ShownOnce>
      )}
    </Dialog>
  );
}
