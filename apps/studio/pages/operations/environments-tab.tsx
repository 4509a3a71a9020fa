import { useState } from 'preact/hooks';
import type { EnvironmentLine } from '../../src/environments/environment-views.js';
import { call, path } from '../api/call.js';
import { Confirm, Dialog, DialogFoot } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Form, TextInput } from '../controls/form.js';
import { isIdentifier } from '../controls/identifier.js';
import { Link } from '../controls/link.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { Options } from '../controls/options.js';
import { type Column, Table } from '../controls/table.js';
import { to } from '../router/router.js';
import { mayEdit, refresh } from '../session/session.js';
import { Signers } from './signers.js';
import { WebhookSecret } from './webhook-secret.js';

type Mode = EnvironmentLine['verification'];

const MODES: Readonly<Record<Mode, string>> = {
  off: 'user tokens are ignored',
  observe: 'user tokens are counted',
  required: 'user tokens are required',
};

const RELEASES = {
  commit: 'is live at once',
  pin: 'is live once it is released',
};

/** Environments, and whether pages have to prove there who their user is (T20). */
export function EnvironmentsTab({ environment }: { environment: string }) {
  const [isMaking, setMaking] = useState(false);
  const found = useAnswer<{ lines: EnvironmentLine[] }>('/api/environments');
  return (
    <div class="stack">
      <div class="row apart">
        <p class="faint">Each has users and keys of its own; flows are the same in all of them.</p>
        {mayEdit.value && (
          <button type="button" class="filled" onClick={() => setMaking(true)}>
            New environment
          </button>
        )}
      </div>
      <Shown of={found} what="the environments">
        {({ lines }) => <EnvironmentTable lines={lines} onDone={found.reload} />}
      </Shown>
      <Signers key={`signers ${environment}`} environment={environment} />
      {mayEdit.value && <WebhookSecret key={`secret ${environment}`} environment={environment} />}
      {isMaking && (
        <NewEnvironment
          taken={(found.value?.lines ?? []).map(({ name }) => name)}
          onClose={() => setMaking(false)}
          onDone={() => {
            setMaking(false);
            found.reload();
            void refresh();
          }}
        />
      )}
    </div>
  );
}

function EnvironmentTable({ lines, onDone }: { lines: EnvironmentLine[]; onDone: () => void }) {
  const doing = useDoing();
  const [unsigned, setUnsigned] = useState<string>();
  const verify = async (name: string, verification: Mode): Promise<void> => {
    await call(path`/api/environments/${name}/verification`, { body: { verification } });
    onDone();
  };
  /** Asks first if there is no signer, since nobody could get a token. */
  const choose = async (name: string, mode: Mode): Promise<void> => {
    if (mode === 'required' && !(await hasSigner(name))) setUnsigned(name);
    else await verify(name, mode);
  };
  const release = async (name: string, byPin: boolean): Promise<void> => {
    await call(path`/api/environments/${name}/releases`, { body: { byPin } });
    onDone();
  };
  const isDisabled = !mayEdit.value || doing.isBusy;
  const columns: Column<EnvironmentLine>[] = [
    {
      title: 'Environment',
      isHead: true,
      cell: ({ name }) => <Link to={to(name, 'flows')}>{name}</Link>,
    },
    {
      title: 'With public keys',
      cell: ({ name, verification }) => (
        <SavedSelect
          label={`User tokens in ${name}`}
          value={verification}
          of={MODES}
          isDisabled={isDisabled}
          onChange={(mode) => void doing.run(() => choose(name, mode))}
        />
      ),
    },
    {
      title: 'A published version',
      cell: ({ name, releasesByPin }) => (
        <SavedSelect
          label={`Published versions in ${name}`}
          value={releasesByPin ? 'pin' : 'commit'}
          of={RELEASES}
          isDisabled={isDisabled}
          onChange={(by) => void doing.run(() => release(name, by === 'pin'))}
        />
      ),
    },
  ];
  return (
    <>
      <Doing of={doing} />
      <Table rows={lines} keyOf={({ name }) => name} columns={columns} isCards />
      <p class="faint small">Running services follow within a second.</p>
      {unsigned !== undefined && (
        <Confirm
          title={`Require user tokens in ${unsigned}`}
          button="Require them anyway"
          onClose={() => setUnsigned(undefined)}
          onConfirm={async () => {
            await verify(unsigned, 'required');
            setUnsigned(undefined);
          }}
        >
          <p>{unsigned} has no signer: every request with a public key will be refused.</p>
        </Confirm>
      )}
    </>
  );
}

const hasSigner = async (environment: string): Promise<boolean> =>
  (await call<{ signers: unknown[] }>(path`/api/${environment}/signers`)).signers.length > 0;

interface SavedSelectProps<Value extends string> {
  label: string;
  value: Value;
  of: Readonly<Record<Value, string>>;
  isDisabled: boolean;
  onChange: (value: Value) => void;
}

/** Shows the current value until another one has been saved. */
function SavedSelect<Value extends string>({
  label,
  value,
  of,
  isDisabled,
  onChange,
}: SavedSelectProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value as Value);
        currentTarget.value = value;
      }}
    >
      <Options of={of} />
    </select>
  );
}

interface NewEnvironmentProps {
  taken: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

function NewEnvironment({ taken, onClose, onDone }: NewEnvironmentProps) {
  const [name, setName] = useState('');
  const doing = useDoing();
  const isTaken = taken.includes(name);
  const create = () =>
    doing.run(async () => {
      await call('/api/environments', { body: { environment: name } });
      onDone();
    });
  return (
    <Dialog title="New environment" onClose={onClose}>
      <Form onSubmit={create}>
        <TextInput
          label="Name"
          value={name}
          maxLength={128}
          placeholder="such as staging"
          hint="Letters, digits, - and _. It cannot be changed later."
          isCode
          onInput={setName}
        />
        {isTaken && <p class="note warn">There is an environment {name} already.</p>}
        <Doing of={doing} />
        <DialogFoot onClose={onClose}>
          <button
            type="submit"
            class="filled"
            disabled={doing.isBusy || isTaken || !isIdentifier(name)}
          >
            Create
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}
