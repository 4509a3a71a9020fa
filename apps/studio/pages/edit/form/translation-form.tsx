import { useEffect, useState } from 'preact/hooks';
import type { TextShown } from '../../../src/edit/edit-views.js';
import { call, path } from '../../api/call.js';
import { Check } from '../../controls/form.js';
import { Trouble, useLoaded, Waiting } from '../../controls/loaded.js';
import { countText } from '../../controls/time.js';
import type { Editing } from '../draft/editing.js';
import { nameIn } from './blocks.js';
import { FIELD_LABELS, languageName } from './part-name.js';
import { TextField } from './text-field.js';

const PAUSE_MS = 300;

/** The server lists the texts; the last list stays until the next one is there. */
function useTexts({ environment, text }: Editing, language: string) {
  const [texts, setTexts] = useState<TextShown[]>();
  const body = { text: text.value, language };
  const loaded = useLoaded(`texts ${JSON.stringify(body)}`, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
    return call<TextShown[]>(path`/api/${environment}/texts`, { body, signal });
  });
  useEffect(() => {
    if (loaded.value) setTexts(loaded.value);
  }, [loaded.value]);
  return { texts, error: loaded.error };
}

/**
 * Originals and translations side by side, with what is missing or older than its original (X5).
 */
export function TranslationForm({ editing, tag }: { editing: Editing; tag: string }) {
  const { texts, error } = useTexts(editing, tag);
  // What was open at the request stays visible while it is written.
  const [open, setOpen] = useState<ReadonlySet<string>>();
  const chosen = editing.chosen.value;
  const items = chosen === undefined ? [] : editing.source.value.keys(['blocks', chosen, 'items']);
  const wanted = (texts ?? []).filter((one) => one.isWanted);
  const ofBlock = wanted.filter(
    ({ block }) => chosen === undefined || [chosen, ...items].includes(block),
  );
  const shown = ofBlock.filter((one) => !open || isOpen(one) || open.has(keyOf(one)));
  return (
    <section class="stack" aria-label={`Texts in ${languageName(tag)}`}>
      {error !== undefined && <Trouble text={error} />}
      {texts === undefined && error === undefined && <Waiting what="the texts" />}
      {texts && <Standing texts={wanted} />}
      <div class="row apart">
        <Check
          checked={open !== undefined}
          onChange={(isOn) => setOpen(isOn ? new Set(wanted.filter(isOpen).map(keyOf)) : undefined)}
        >
          Only what is missing or older
        </Check>
        {chosen !== undefined && (
          <button
            type="button"
            class="quiet tight"
            onClick={() => (editing.chosen.value = undefined)}
          >
            ← The whole flow
          </button>
        )}
      </div>
      {texts && shown.length === 0 && (
        <p class="faint">
          {ofBlock.length === 0
            ? 'There is no text to translate here.'
            : 'Nothing is missing here.'}
        </p>
      )}
      {shown.map((one, index) => (
        <div key={keyOf(one)} class="stack close">
          {shown[index - 1]?.block !== one.block && (
            <h3>{nameIn(editing.source.value, one.block)}</h3>
          )}
          <Translation editing={editing} tag={tag} text={one} />
        </div>
      ))}
    </section>
  );
}

const keyOf = ({ block, field }: TextShown): string => `${block}.${field}`;

const isOpen = ({ isMissing, isOlder }: TextShown): boolean => isMissing || isOlder;

function Standing({ texts }: { texts: readonly TextShown[] }) {
  const missing = texts.filter(({ isMissing }) => isMissing).length;
  const older = texts.filter(({ isOlder }) => isOlder).length;
  return (
    <p class="row" role="status">
      <span class="chip">{texts.length === 1 ? '1 text' : `${countText(texts.length)} texts`}</span>
      {missing > 0 && <span class="chip warn">{countText(missing)} missing</span>}
      {older > 0 && <span class="chip warn">{countText(older)} older than the original</span>}
      {missing + older === 0 && <span class="chip good">all translated</span>}
    </p>
  );
}

function Translation({ editing, tag, text }: { editing: Editing; tag: string; text: TextShown }) {
  const { block, field, from, to, isLong, isMissing, isOlder } = text;
  const label = FIELD_LABELS[field] ?? field;
  const isNodes = typeof from !== 'string' || typeof to !== 'string';
  return (
    <div class="translation" onFocusIn={() => choosePart(editing, block)}>
      <div class="field">
        <span>{label}</span>
        <p class="original">{typeof from === 'string' ? from : 'Written with nodes.'}</p>
      </div>
      {isNodes ? (
        <p class="faint small">Written with nodes; change it under YAML.</p>
      ) : (
        <TextField
          editing={editing}
          place={['languages', tag, block, field]}
          label={`${label} in ${languageName(tag)}`}
          lines={isLong}
        />
      )}
      {(isMissing || isOlder) && (
        <p class="small">
          <span class="chip warn">{isMissing ? 'missing' : 'older than the original'}</span>
        </p>
      )}
    </div>
  );
}

/** The preview shows what is translated. */
function choosePart(editing: Editing, id: string): void {
  const source = editing.source.peek();
  const blocks = source.keys(['blocks']);
  const container = blocks.find((block) => source.keys(['blocks', block, 'items']).includes(id));
  editing.item.value = container === undefined ? undefined : id;
  editing.translated.value = container ?? id;
}
