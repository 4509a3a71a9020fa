import { useState } from 'preact/hooks';
import { Options } from '../../controls/options.js';
import type { Editing } from '../draft/editing.js';
import { placeName } from '../draft/use-wanted.js';
import { type FlowText, type Place, put, writeTargets } from '@waymark/domain/flow-files/text';
import { addBlock, type BlockTypeName, nameIn } from './blocks.js';
import { ChooseType } from './choose-type.js';

interface TargetsFieldProps {
  editing: Editing;
  place: Place;
  label: string;
}

const NEW = '\n new';
const NOTHING = '\n nothing';

/** Where a path leads: one block, several at the same time, the finish, or nothing. */
export function TargetsField({ editing, place, label }: TargetsFieldProps) {
  const targets = editing.source.value.list(place);
  const [addingAt, setAddingAt] = useState<number>();
  const write = (next: string[]): void =>
    editing.change(put(editing.text.peek(), place, writeTargets(next)));
  const change = (index: number, to: string): void => {
    if (to === NEW) return setAddingAt(index);
    if (to === NOTHING) return write(targets.filter((_, each) => each !== index));
    write(
      targets.length === 0 ? [to] : targets.map((target, each) => (each === index ? to : target)),
    );
  };
  return (
    <div class="field" data-place={placeName(place)}>
      <span class="field-label">{label}</span>
      {(targets.length === 0 ? [NOTHING] : targets).map((target, index) => (
        <Target
          key={`${index} ${target}`}
          editing={editing}
          label={`${label}: target ${index + 1}`}
          target={target}
          onChange={(to) => change(index, to)}
          remove={
            targets.length > 1 && {
              label: `Remove target ${target} of ${label}`,
              run: () => change(index, NOTHING),
            }
          }
        />
      ))}
      {targets.length > 0 && !targets.includes('finish') && (
        <Another
          editing={editing}
          targets={targets}
          label={label}
          onAdd={(to) => write([...targets, to])}
        />
      )}
      {addingAt !== undefined && (
        <ChooseType
          title={`A new block behind “${label}”`}
          onClose={() => setAddingAt(undefined)}
          onChoose={(type) => addBehind(editing, place, addingAt, type)}
        />
      )}
    </div>
  );
}

interface TargetProps {
  editing: Editing;
  label: string;
  target: string;
  onChange: (to: string) => void;
  /** Where there are several. */
  remove: { label: string; run: () => void } | false;
}

function Target({ editing, label, target, onChange, remove }: TargetProps) {
  return (
    <div class="row">
      <label class="grow">
        <span class="unseen">{label}</span>
        <select
          value={target}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            // A requested target is not chosen yet.
            currentTarget.value = target;
          }}
        >
          <Choices editing={editing} chosen={target} />
        </select>
      </label>
      {remove && (
        <button type="button" class="quiet tight" aria-label={remove.label} onClick={remove.run}>
          ✕
        </button>
      )}
    </div>
  );
}

function Choices({ editing, chosen }: { editing: Editing; chosen: string }) {
  const source = editing.source.value;
  const blocks = source.keys(['blocks']);
  const isUnknown = ![...blocks, 'finish', NOTHING].includes(chosen);
  return (
    <>
      {isUnknown && <option value={chosen}>{chosen} (there is no such block)</option>}
      <Options of={namesOf(source, blocks)} />
      <option value="finish">finish</option>
      <option value={NOTHING}>nowhere</option>
      <option value={NEW}>+ a new block …</option>
    </>
  );
}

const namesOf = (source: FlowText, blocks: readonly string[]): [string, string][] =>
  blocks.map((id) => [id, nameIn(source, id)]);

interface AnotherProps {
  editing: Editing;
  targets: string[];
  label: string;
  onAdd: (to: string) => void;
}

function Another({ editing, targets, label, onAdd }: AnotherProps) {
  const free = editing.source.value.keys(['blocks']).filter((id) => !targets.includes(id));
  if (free.length === 0) return null;
  return (
    <label>
      <span class="unseen">{label}: at the same time</span>
      <select
        value=""
        class="faint"
        onChange={({ currentTarget }) => currentTarget.value && onAdd(currentTarget.value)}
      >
        <option value="">and at the same time …</option>
        <Options of={namesOf(editing.source.value, free)} />
      </select>
    </label>
  );
}

/** A new block between this path and where it led. */
function addBehind(editing: Editing, place: Place, index: number, type: BlockTypeName): void {
  const targets = editing.source.peek().list(place);
  const { text, id } = addBlock(editing.source.peek(), type, targets[index] ?? 'finish');
  const next =
    targets.length === 0 ? [id] : targets.map((target, each) => (each === index ? id : target));
  editing.begin(put(text, place, writeTargets(next)), ['blocks', id]);
}
