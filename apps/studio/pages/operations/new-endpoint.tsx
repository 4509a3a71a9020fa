import { useState } from 'preact/hooks';
import type { MadeEndpoint } from '../../src/endpoints/endpoint-views.js';
import { call, path } from '../api/call.js';
import { Dialog, DialogFoot } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Form, Select, TextInput } from '../controls/form.js';
import { ShownOnce } from '../controls/shown-once.js';

const FORMATS = { standard: 'signed JSON (Standard Webhooks)', segment: 'Segment track calls' };
const STARTS = { now: 'from now on', beginning: 'all that is kept, from the oldest' };

interface NewEndpointProps {
  environment: string;
  onClose: () => void;
}

/** Makes an address that gets events; its secret is shown this once (T20, E6). */
export function NewEndpoint({ environment, onClose }: NewEndpointProps) {
  const [secret, setSecret] = useState<string>();
  const create = async (body: object): Promise<void> => {
    const made = await call<MadeEndpoint>(path`/api/${environment}/endpoints`, { body });
    if (made.secret === null) onClose();
    else setSecret(made.secret);
  };
  return (
    <Dialog
      title={`New endpoint for ${environment}`}
      onClose={onClose}
      isKept={secret !== undefined}
    >
      {secret === undefined ? (
        <EndpointForm onSubmit={create} onClose={onClose} />
      ) : (
        <ShownOnce text={secret} onClose={onClose}>
          With this secret the receiver checks that events come from here.
        </ShownOnce>
      )}
    </Dialog>
  );
}

interface EndpointFormProps {
  onSubmit: (body: object) => Promise<void>;
  onClose: () => void;
}

function EndpointForm({ onSubmit, onClose }: EndpointFormProps) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [flows, setFlows] = useState('');
  const [format, setFormat] = useState<keyof typeof FORMATS>('standard');
  const [from, setFrom] = useState<keyof typeof STARTS>('now');
  const doing = useDoing();
  const submit = () => {
    const named = flows.split(/[\s,]+/).filter(Boolean);
    const body = { name, url, format, from, ...(named.length > 0 && { flows: named }) };
    return doing.run(() => onSubmit(body));
  };
  return (
    <Form onSubmit={submit}>
      <TextInput label="Name" value={name} maxLength={128} isCode onInput={setName} />
      <TextInput
        label="Address"
        value={url}
        maxLength={2_048}
        placeholder="https://"
        hint="Services send to it, so they have to reach it."
        isCode
        onInput={setUrl}
      />
      <TextInput
        label="Only these flows"
        value={flows}
        hint="Identifiers with commas between them; all flows where this is empty."
        isCode
        onInput={setFlows}
      />
      <Select label="Written as" value={format} of={FORMATS} onChange={(next) => setFormat(next)} />
      <Select label="Events" value={from} of={STARTS} onChange={(next) => setFrom(next)} />
      <Doing of={doing} />
      <DialogFoot onClose={onClose}>
        <button type="submit" class="filled" disabled={doing.isBusy || name === '' || url === ''}>
          Create endpoint
        </button>
      </DialogFoot>
    </Form>
  );
}
