import { useState } from 'preact/hooks';
import { isIdentifier } from '../../controls/identifier.js';
import { Options } from '../../controls/options.js';
import type { Editing } from '../draft/editing.js';
import { put } from '../text/edits.js';
import { FlowText } from '../text/flow-text.js';
import { BLOCK_TYPES, hasNext, isContainer, removeBlock, renameBlock } from './blocks.js';
import { ConditionField } from './condition-field.js';
import { FieldsForm } from './fields-form.js';
import { ItemsForm } from './items-form.js';
import { PathsForm } from './paths-form.js';
import { TargetsField } from './targets-field.js';
import { TextField } from './text-field.js';

/** One block: what users read in it and where it leads. */
export function BlockForm({ editing, block }: { editing: Editing; block: string }) {
  const place = ['blocks', block];
  const type = editing.source.value.value([...place, 'type']) ?? '';
  const remove = (): void => {
    editing.change(removeBlock(editing.source.peek(), block));
    editing.chosen.value = undefined;
  };
  return (
    <div class="stack">
      <div class="row apart">
        <button type="button" class="quiet tight" onClick={() => (editing.chosen.value = undefined)}>
          ← The whole flow
        </button>
        <button type="button" class="quiet tight danger" onClick={remove}>
          Delete block
        </button>
      </div>
      <Name editing={editing} block={block} />
      <label class="field">
        <span>Type</span>
        <select
          value={type}
          onChange={({ currentTarget }) => editing.change(put(editing.text.peek(), [...place, 'type'], currentTarget.value))}
        >
          <Options of={BLOCK_TYPES} />
        </select>
      </label>
      {type === 'branch' && <ConditionField editing={editing} place={[...place, 'when']} label="Condition" />}
      {type === 'webhook' && <TextField editing={editing} place={[...place, 'url']} label="Address" isCode isNeeded />}
      {type === 'flow-trigger' && <Trigger editing={editing} block={block} />}
      {!hasNext(type) && type !== 'branch' && <FieldsForm editing={editing} place={place} type={type} />}
      {isContainer(type) && <ItemsForm editing={editing} block={block} type={type} />}
      {hasNext(type) ? (
        <TargetsField editing={editing} place={[...place, 'next']} label="Then" />
      ) : (
        <PathsForm editing={editing} block={block} type={type} />
      )}
    </div>
  );
}

function Name({ editing, block }: { editing: Editing; block: string }) {
  const [name, setName] = useState(block);
  const isAllowed = isIdentifier(name) && !editing.source.value.keys(['blocks']).includes(name);
  const rename = (): void => {
    const saved = FlowText.of(editing.savedText.peek());
    editing.change(renameBlock(editing.source.peek(), block, name, saved));
    editing.chosen.value = name;
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAllowed) rename();
      }}
    >
      <label class="field">
        <span>Block</span>
        <div class="row">
          <input
            class="code-input grow"
            value={name}
            spellcheck={false}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          {name !== block && (
            <button type="submit" disabled={!isAllowed}>
              Rename
            </button>
          )}
        </div>
      </label>
      {name !== block && (
        <p class="note warn small">
          Applications may ask for <code>{block}</code> by this name: rename it there too. Users who are in it stay in it.
        </p>
      )}
    </form>
  );
}

function Trigger({ editing, block }: { editing: Editing; block: string }) {
  const place = ['blocks', block];
  const intent = editing.source.value.value([...place, 'intent']) ?? 'start';
  return (
    <>
      <TextField editing={editing} place={[...place, 'flow']} label="Flow" isCode isNeeded />
      <label class="field">
        <span>What happens to the user there</span>
        <select
          value={intent}
          onChange={({ currentTarget }) => editing.change(put(editing.text.peek(), [...place, 'intent'], currentTarget.value))}
        >
          <Options of={['start', 'reset', 'stop', 'finish']} />
        </select>
      </label>
    </>
  );
}
