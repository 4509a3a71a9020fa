import { useState } from 'preact/hooks';
import { put, textValue } from '@waymark/domain/flow-files/text';
import { Dialog, DialogFoot } from '../../controls/dialog.js';
import { Form, TextInput } from '../../controls/form.js';
import type { Editing } from '../draft/editing.js';
import { languageName } from './part-name.js';

/** The language that the form translates into; undefined while it shows the flow in its own. */
export function translatedTag({ language, source }: Editing): string | undefined {
  const chosen = language.value;
  return chosen === undefined || chosen === source.value.value(['language']) ? undefined : chosen;
}

const ANOTHER = '\n another';

/** Whether the flow says in which language its texts are, or has them in others. */
const hasLanguages = ({ source }: Editing): boolean =>
  source.value.value(['language']) !== undefined || source.value.keys(['languages']).length > 0;

/**
 * In which language the form shows the texts (X5); the preview speaks it too. Flows in one language
 * have none to choose from.
 */
export function LanguageChoice({ editing }: { editing: Editing }) {
  const [isAdding, setAdding] = useState(false);
  const { source, language } = editing;
  const own = source.value.value(['language']);
  const chosen = translatedTag(editing);
  if (chosen === undefined && !hasLanguages(editing)) return null;
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

/** Where the languages of a flow begin that has none yet. */
export function FirstLanguage({ editing }: { editing: Editing }) {
  const [isAdding, setAdding] = useState(false);
  if (hasLanguages(editing)) return null;
  return (
    <div>
      <button type="button" class="tight" onClick={() => setAdding(true)}>
        Translate this flow…
      </button>
      {isAdding && <AddLanguage editing={editing} onClose={() => setAdding(false)} />}
    </div>
  );
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
    <Dialog
      title={written === undefined ? 'Translate this flow' : 'Another language'}
      onClose={onClose}
    >
      <Form onSubmit={add}>
        {written === undefined && (
          <TextInput
            label="Its texts are written in"
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
