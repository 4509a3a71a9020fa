import { useState } from 'preact/hooks';
import { Select } from '../../controls/form.js';
import { Options } from '../../controls/options.js';
import { put, remove } from '@waymark/domain/flow-files/text';
import type { Editing } from '../draft/editing.js';
import { placeName } from '../draft/use-wanted.js';
import { addBlock, BLOCK_TYPES, type BlockTypeName, titleIn } from './blocks.js';
import { ConditionField } from './condition-field.js';
import { FirstLanguage } from './language-choice.js';
import { TargetsField } from './targets-field.js';
import { TextField } from './text-field.js';

const WHO = {
  all: 'Every user',
  matching: 'Users who match a condition',
  'api-only': 'Nobody: the application starts it',
};
type Audience = keyof typeof WHO;

/** The flow as a whole: its name, who enters, where it starts, its blocks. */
export function FlowForm({ editing }: { editing: Editing }) {
  const { source } = editing;
  const who = (source.value.value(['target', 'users']) ?? 'all') as Audience;
  const choose = (next: Audience): void => {
    const text = put(editing.text.peek(), ['target', 'users'], next);
    const isConditional = next === 'matching';
    if (next === 'api-only')
      return editing.change(
        [['when'], ['from'], ['until']].reduce(
          (left, [key]) => remove(left, ['target', key!]),
          text,
        ),
      );
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
      <TextField
        editing={editing}
        place={['name']}
        label="Name"
        placeholder="What people call it"
      />
      <Select
        label="Who enters"
        place={placeName(['target'])}
        value={who}
        of={WHO}
        onChange={choose}
      />
      {who === 'matching' && (
        <ConditionField editing={editing} place={['target', 'when']} label="Condition" />
      )}
      <Dates editing={editing} isOpen={who !== 'api-only'} />
      <GoalField editing={editing} />
      <TargetsField editing={editing} place={['start']} label="Starts with" />
      <Blocks editing={editing} />
      <FirstLanguage editing={editing} />
    </div>
  );
}

/**
 * Folded for flows without one: most have none, and a second condition would be taken for that of
 * who enters.
 */
function GoalField({ editing }: { editing: Editing }) {
  const [hadGoal] = useState(editing.source.peek().value(['goal']) !== undefined);
  return (
    <details class="group" open={hadGoal}>
      <summary>Goal</summary>
      <div class="stack close">
        <ConditionField
          editing={editing}
          place={['goal']}
          label="Goal"
          hint="What the flow is for: the funnel counts for how many it holds."
          isOptional
        />
      </div>
    </details>
  );
}

const DATES = [['target', 'from'], ['target', 'until'], ['end']];
const DATE_HINT = 'Such as 2026-12-24 or 2026-12-24T18:00+01:00; in UTC without a zone.';

/** When users enter by themselves, and when it is over for all (Z8). */
function Dates({ editing, isOpen }: { editing: Editing; isOpen: boolean }) {
  const [hadDates] = useState(() => {
    const source = editing.source.peek();
    return DATES.some((place) => source.value(place) !== undefined);
  });
  return (
    <details class="group" open={hadDates}>
      <summary>Dates</summary>
      <div class="stack close">
        {isOpen && (
          <>
            <TextField
              editing={editing}
              place={['target', 'from']}
              label="Users enter from"
              hint={DATE_HINT}
            />
            <TextField
              editing={editing}
              place={['target', 'until']}
              label="Users enter until"
              hint={DATE_HINT}
            />
          </>
        )}
        <TextField
          editing={editing}
          place={['end']}
          label="Ends"
          hint="From then on nothing starts, and what runs is stopped."
        />
      </div>
    </details>
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
              <b>{titleIn(source.value, ['blocks', id]) ?? id}</b>{' '}
              <span class="faint small">
                {source.value.value(['blocks', id, 'type'])} <code>{id}</code>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <NewBlock
        onAdd={(type) => {
          const { text, id } = addBlock(editing.source.peek(), type);
          editing.begin(text, ['blocks', id]);
        }}
      />
    </section>
  );
}

interface NewBlockProps {
  onAdd: (type: BlockTypeName) => void;
}

/** Chooses what kind of block is added. */
function NewBlock({ onAdd }: NewBlockProps) {
  const [type, setType] = useState<BlockTypeName>('modal');
  return (
    <div class="row new-block">
      <label class="grow">
        <span class="unseen">Type of the new block</span>
        <select
          value={type}
          onChange={({ currentTarget }) => setType(currentTarget.value as BlockTypeName)}
        >
          <Options of={BLOCK_TYPES} />
        </select>
      </label>
      <button type="button" onClick={() => onAdd(type)}>
        Add block
      </button>
    </div>
  );
}
