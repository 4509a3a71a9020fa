import { useState } from 'preact/hooks';
import { call, path } from '../api/call.js';
import { Confirm } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Copy } from '../controls/shown-once.js';

type Secret = string | null;

/** The secret that signs the webhooks of flow files, on request (T20, E9). For editors. */
export function WebhookSecret({ environment }: { environment: string }) {
  const [secret, setSecret] = useState<Secret>();
  const [isAsked, setAsked] = useState(false);
  const doing = useDoing();
  const address = path`/api/${environment}/webhook-secret`;
  const show = () =>
    doing.run(async () => {
      const found = await call<{ secret: Secret }>(`${address}/reveal`, { body: {} });
      setSecret(found.secret);
    });
  const rotate = async (): Promise<void> => {
    const made = await call<{ secret: string }>(`${address}/rotate`, { body: {} });
    setSecret(made.secret);
    setAsked(false);
  };
  return (
    <section class="stack close" aria-label="Webhook secret">
      <h2>Webhooks of {environment}</h2>
      <p class="faint">Blocks of type webhook are signed with one secret.</p>
      {secret !== undefined && (
        <p class="row">
          {secret === null ? (
            'There is none yet, so webhooks are not signed.'
          ) : (
            <>
              <code>{secret}</code> <Copy text={secret} />
            </>
          )}
        </p>
      )}
      <Doing of={doing} />
      <div class="row">
        {secret === undefined && (
          <button type="button" disabled={doing.isBusy} onClick={() => void show()}>
            Show the secret
          </button>
        )}
        <button type="button" onClick={() => setAsked(true)}>
          New secret…
        </button>
      </div>
      {isAsked && (
        <Confirm
          title={`New webhook secret for ${environment}`}
          button="Make a new secret"
          onClose={() => setAsked(false)}
          onConfirm={rotate}
        >
          <p>For 24 hours the old one signs too, so that receivers can get to know the new one.</p>
        </Confirm>
      )}
    </section>
  );
}
