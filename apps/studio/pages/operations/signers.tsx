import { useState } from 'preact/hooks';
import type { MadeSigner, SignerLine } from '../../src/environments/environment-views.js';
import { call, path } from '../api/call.js';
import { Confirm, Dialog, DialogFoot } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Form, TextInput } from '../controls/form.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { ShownOnce } from '../controls/shown-once.js';
import { type Column, Table } from '../controls/table.js';
import { Ago } from '../controls/time.js';
import { mayEdit } from '../session/session.js';

/** Who vouches for users in the tokens that pages send (T20, V2). */
export function Signers({ environment }: { environment: string }) {
  const found = useAnswer<{ signers: SignerLine[] }>(path`/api/${environment}/signers`);
  const [isMaking, setMaking] = useState(false);
  return (
    <section class="stack close" aria-label="Signers">
      <div class="row apart">
        <h2>Signers of {environment}</h2>
        {mayEdit.value && (
          <button type="button" onClick={() => setMaking(true)}>
            New signer
          </button>
        )}
      </div>
      <Shown of={found} what="the signers">
        {({ signers }) =>
          signers.length === 0 ? (
            <Empty title="No signers yet">
              <p>
                A signer is a key of your backend, which says in a user token who the user of a page
                is.
              </p>
            </Empty>
          ) : (
            <SignerTable environment={environment} signers={signers} onDone={found.reload} />
          )
        }
      </Shown>
      {isMaking && (
        <NewSigner
          environment={environment}
          onClose={() => {
            setMaking(false);
            found.reload();
          }}
        />
      )}
    </section>
  );
}

interface SignerTableProps {
  environment: string;
  signers: readonly SignerLine[];
  onDone: () => void;
}

function SignerTable({ environment, signers, onDone }: SignerTableProps) {
  const [removing, setRemoving] = useState<string>();
  const columns: Column<SignerLine>[] = [
    ...SIGNER_COLUMNS,
    {
      cell: ({ name }) =>
        mayEdit.value && (
          <button type="button" class="tight danger" onClick={() => setRemoving(name)}>
            Remove…
          </button>
        ),
    },
  ];
  return (
    <>
      <Table rows={signers} keyOf={({ name }) => name} columns={columns} />
      {removing !== undefined && (
        <Confirm
          title={`Remove the signer ${removing}`}
          button="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await call(path`/api/${environment}/signers/remove`, { body: { name: removing } });
            setRemoving(undefined);
            onDone();
          }}
        >
          <p>
            Running services refuse its tokens within a second, and end the connections that had
            them.
          </p>
        </Confirm>
      )}
    </>
  );
}

const SIGNER_COLUMNS: readonly Column<SignerLine>[] = [
  {
    title: 'Signer',
    isHead: true,
    isLong: true,
    cell: ({ name, fingerprint }) => (
      <>
        {name}
        <p class="faint small">{fingerprint}</p>
      </>
    ),
  },
  { title: 'Algorithm', cell: ({ algorithm }) => algorithm },
  { title: 'Added', isFaint: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

function NewSigner({ environment, onClose }: { environment: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [publicKey, setPublicKey] = useState('');
  const [privateKey, setPrivateKey] = useState<string>();
  const doing = useDoing();
  const create = () =>
    doing.run(async () => {
      const body = { name, ...(publicKey.trim() !== '' && { publicKey }) };
      const made = await call<MadeSigner>(path`/api/${environment}/signers`, { body });
      if (made.privateKey === null) onClose();
      else setPrivateKey(made.privateKey.trimEnd());
    });
  return (
    <Dialog
      title={`New signer for ${environment}`}
      onClose={onClose}
      isKept={privateKey !== undefined}
    >
      {privateKey === undefined ? (
        <Form onSubmit={create}>
          <TextInput
            label="Name"
            value={name}
            maxLength={128}
            hint="Tokens name it as their “kid”."
            isCode
            onInput={setName}
          />
          <PublicKeyField value={publicKey} onInput={setPublicKey} />
          <Doing of={doing} />
          <DialogFoot onClose={onClose}>
            <button type="submit" class="filled" disabled={doing.isBusy || name === ''}>
              Add signer
            </button>
          </DialogFoot>
        </Form>
      ) : (
        <ShownOnce text={privateKey} onClose={onClose}>
          Your backend signs with it, and it is not stored here.
        </ShownOnce>
      )}
    </Dialog>
  );
}

function PublicKeyField({ value, onInput }: { value: string; onInput: (pem: string) => void }) {
  return (
    <label class="field">
      <span>Public key</span>
      <textarea
        class="code-input"
        rows={4}
        value={value}
        placeholder="-----BEGIN PUBLIC KEY-----"
        spellcheck={false}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="faint small">
        PEM or JWK: Ed25519, P-256, or RSA of at least 2,048 bits. Where it is empty, a pair is
        made, and you get the private key.
      </span>
    </label>
  );
}
