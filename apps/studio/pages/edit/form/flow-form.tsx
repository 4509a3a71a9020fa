import { Select } from '../../controls/form.js';
import { put, remove } from '../text/edits.js';
import type { Editing } from '../draft/editing.js';
import { addBlock } from './blocks.js';
import { ConditionField } from './condition-field.js';
import { NewBlock } from './new-block.js';
import { TargetsField } from './targets-field.js';
import { TextField } from './text-field.js';

const WHO = { all: 'Every user', matching: 'Users for whom a condition holds', 'api-only': 'Nobody: the application starts it' };
type Who = keyof typeof WHO;

/** The flow as a whole: its name, who enters, where it starts, its blocks. */
export function FlowForm({ editing }: { editing: Editing }) {
  const { source } = editing;
  const who = (source.value.value(['target', 'users']) ?? 'all') as Who;
  const choose = (next: Who): void => {
    const text = put(editing.text.peek(), ['target', 'users'], next);
    const isConditional = next === 'matching';
    if (!isConditional) return editing.change(remove(text, ['target', 'when']));
    editing.change(
      source.value.value(['target', 'when']) === undefined
        ? put(text, ['target', 'when'], 'user.properties.plan == "pro"')
        : text,
    );
  };
  return (
    <div class="stack">
      {editing.flow === undefined && (
        <TextField
          editing={editing}
          place={['flow']}
          label="Identifier"
          isCode
          isNeeded
          hint="What the application asks for. It cannot be changed later."
        />
      )}
      <TextField editing={editing} place={['name']} label="Name" placeholder="What people call it" />
      <Select label="Who enters" value={who} of={WHO} onChange={choose} />
      {who === 'matching' && <ConditionField editing={editing} place={['target', 'when']} label="Condition" />}
      <TargetsField editing={editing} place={['start']} label="Starts with" />
      <Blocks editing={editing} />
    </div>
  );
}

function Blocks({ editing }: { editing: Editing }) {
  const { source, chosen } = editing;
  return (
    <section class="stack close" aria-label="Blocks">
      <h3>Blocks</h3>
      <ul class="choices">
        {source.value.keys(['blocks']).map((id) => (
          <li key={id}>
            <button type="button" class="block-choice" onClick={() => (chosen.value = id)}>
              <b>{id}</b> <span class="faint small">{source.value.value(['blocks', id, 'type'])}</span>
            </button>
          </li>
        ))}
      </ul>
      <NewBlock
        onAdd={(type) => {
          const { text, id } = addBlock(editing.source.peek(), type);
          editing.change(text);
          chosen.value = id;
        }}
      />
    </section>
  );
}
