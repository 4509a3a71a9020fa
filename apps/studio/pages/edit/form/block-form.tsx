import { Select } from '../../controls/form.js';
import type { Editing } from '../draft/editing.js';
import { placeName } from '../draft/use-wanted.js';
import { FlowText, type Place, put } from '@waymark/domain/flow-files/text';
import { BLOCK_TYPES, hasNext, isContainer, isTaken, removeBlock, renameKept } from './blocks.js';
import { ConditionField } from './condition-field.js';
import { DoneField } from './done-field.js';
import { FieldsForm } from './fields-form.js';
import { NameField } from './name-field.js';
import { ItemsForm } from './items-form.js';
import { PathsForm } from './paths-form.js';
import { TargetsField } from './targets-field.js';
import { TextField } from './text-field.js';
import { WaysForm } from './ways-form.js';

interface BlockProps {
  editing: Editing;
  block: string;
}

/** One block: what users read in it and where it leads. */
export function BlockForm({ editing, block }: BlockProps) {
  const place = ['blocks', block];
  const type = editing.source.value.value([...place, 'type']) ?? '';
  const remove = (): void => {
    editing.change(removeBlock(editing.source.peek(), block));
    editing.chosen.value = undefined;
  };
  return (
    <div class="stack" data-place={placeName(place)}>
      <div class="row apart">
        <button
          type="button"
          class="quiet tight"
          onClick={() => (editing.chosen.value = undefined)}
        >
          ← The whole flow
        </button>
        <button type="button" class="quiet tight danger" onClick={remove}>
          Delete block
        </button>
      </div>
      <Name editing={editing} block={block} />
      <Choice
        editing={editing}
        place={[...place, 'type']}
        label="Type"
        value={type}
        of={BLOCK_TYPES}
      />
      <OwnFields key={type} editing={editing} block={block} type={type} />
      {!hasNext(type) && type !== 'branch' && type !== 'split' && (
        <FieldsForm editing={editing} place={place} type={type} />
      )}
      <DoneField key={`${block} ${type}`} editing={editing} place={place} type={type} />
      {isContainer(type) && <ItemsForm editing={editing} block={block} type={type} />}
      <Leading editing={editing} block={block} type={type} />
    </div>
  );
}

/** What only blocks of this type have. */
function OwnFields({ editing, block, type }: BlockProps & { type: string }) {
  const place = ['blocks', block];
  switch (type) {
    case 'branch':
      return <ConditionField editing={editing} place={[...place, 'when']} label="Condition" />;
    case 'delay':
      return (
        <TextField
          editing={editing}
          place={[...place, 'for']}
          label="Waits for"
          hint="such as 2 days"
          isNeeded
        />
      );
    case 'webhook':
      return (
        <TextField editing={editing} place={[...place, 'url']} label="Address" isCode isNeeded />
      );
    case 'flow-trigger':
      return <Trigger editing={editing} block={block} />;
    case 'split':
      return (
        <Choice
          editing={editing}
          place={[...place, 'by']}
          label="Who goes the same way"
          value={editing.source.value.value([...place, 'by']) ?? 'user'}
          of={SUBJECTS}
        />
      );
    default:
      return null;
  }
}

const SUBJECTS = {
  user: 'Each user by themselves',
  group: 'Everybody of one group together',
};

/** Where the block leads. */
function Leading(props: BlockProps & { type: string }) {
  const { editing, block, type } = props;
  if (type === 'split') return <WaysForm editing={editing} block={block} />;
  if (!hasNext(type)) return <PathsForm {...props} />;
  return <TargetsField editing={editing} place={['blocks', block, 'next']} label="Then" />;
}

function Name({ editing, block }: BlockProps) {
  const rename = (name: string): void => {
    const saved = FlowText.of(editing.savedText.peek());
    editing.change(renameKept(editing.source.peek(), ['blocks', block], name, saved));
    editing.chosen.value = name;
  };
  return (
    <NameField
      label="Block"
      name={block}
      former={editing.source.value.value(['blocks', block, 'was'])}
      isTaken={(name) => isTaken(editing.source.peek(), name)}
      onRename={rename}
    />
  );
}

function Trigger({ editing, block }: BlockProps) {
  const place = ['blocks', block];
  const intent = editing.source.value.value([...place, 'intent']) ?? 'start';
  return (
    <>
      <TextField editing={editing} place={[...place, 'flow']} label="Flow" isCode isNeeded />
      <Choice
        editing={editing}
        place={[...place, 'intent']}
        label="What happens to the user there"
        value={intent}
        of={['start', 'reset', 'stop', 'finish']}
      />
    </>
  );
}

interface ChoiceProps extends Omit<Parameters<typeof Select>[0], 'onChange' | 'place'> {
  editing: Editing;
  place: Place;
}

/** A value of the text that is one of a few. */
function Choice({ editing, place, ...rest }: ChoiceProps) {
  return (
    <Select
      {...rest}
      place={placeName(place)}
      onChange={(value) => editing.change(put(editing.text.peek(), place, value))}
    />
  );
}
