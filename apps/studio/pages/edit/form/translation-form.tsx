import { useEffect, useState } from 'preact/hooks';
import { put, textValue } from '@waymark/domain/flow-files/text';
import type { TextShown } from '../../../src/edit/edit-views.js';
import { call, path } from '../../api/call.js';
import { Dialog, DialogFoot } from '../../controls/dialog.js';
import { Check, Form, TextInput } from '../../controls/form.js';
import { Trouble, useLoaded, Waiting } from '../../controls/loaded.js';
import { countText } from '../../controls/time.js';
import type { Editing } from '../draft/editing.js';
import { nameIn } from './blocks.js';
import { FIELD_LABELS } from './fields-form.js';
import { TextField } from './text-field.js';

/** The language that the form translates into; undefined while it shows the flow in its own. */
export function translatedTag({ language, source }: Editing): string | undefined {
  const chosen = language.value;
  return chosen === undefined || chosen === source.value.value(['language']) ? undefined : chosen;
}

const ANOTHER = '\n another';

/** In which language the form shows the texts (X5); the preview speaks it too. */
export function LanguageChoice({ editing }: { editing: Editing }) {
  const [isAdding, setAdding] = useState(false);
  const { source, language } = editing;
  const own = source.value.value(['language']);
  const chosen = translatedTag(editing);
  const others = source.value.keys(['languages']);
  const tags = chosen === undefined || others.includes(chosen) ? others : [...others, chosen];
  const choose = (select: HTMLSelectElement): void => {
    const { value } = select;
    if (value !== ANOTHER) return void (language.value = value || undefined);
    select.value = chosen ?? '';
    setAdding(true);
  };
  return (
    <div class="row end">
      <label class="inline-field">
        <span class="faint">Texts in</span>
        <select value={chosen ?? ''} onChange={({ currentTarget }) => choose(currentTarget)}>
          <option value="">{own === undefined ? 'as written' : languageName(own)}</option>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              {languageName(tag)}
            </option>
          ))}
          <option value={ANOTHER}>+ another language …</option>
        </select>
      </label>
      {isAdding && <AddLanguage editing={editing} onClose={() => setAdding(false)} />}
    </div>
  );
}

function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    return tag;
  }
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.trim())[0];
  } catch {
    return undefined;
  }
}

function AddLanguage({ editing, onClose }: { editing: Editing; onClose: () => void }) {
  const written = editing.source.value.value(['language']);
  const [own, setOwn] = useState(written ?? navigator.language.split('-')[0]!);
  const [typed, setTyped] = useState('');
  const [from, to] = [canonical(own), canonical(typed)];
  const known = editing.source.value.keys(['languages']).map(canonical);
  const add = (): void => {
    if (from === undefined || to === undefined || from === to) return;
    if (written === undefined)
      editing.change(put(editing.text.peek(), ['language'], textValue(from)));
    // Its first text writes it.
    const there = editing.source.peek().keys(['languages'])[known.indexOf(to)];
    editing.language.value = there ?? to;
    onClose();
  };
  return (
    <Dialog title="Another language" onClose={onClose}>
      <Form onSubmit={add}>
        {written === undefined && (
          <TextInput
            label="The texts that are there are in"
            value={own}
            hint="A language tag, such as en"
            onInput={setOwn}
          />
        )}
        <TextInput
          label="Translate into"
          value={typed}
          placeholder="de"
          hint={
            to !== undefined
              ? to === from
                ? 'This is the language of the flow itself.'
                : languageName(to)
              : 'A language tag, such as de, pt-BR or zh-Hant'
          }
          onInput={setTyped}
        />
        <DialogFoot onClose={onClose}>
          <button
            type="submit"
            class="filled"
            disabled={from === undefined || to === undefined || from === to}
          >
            Translate
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}

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
