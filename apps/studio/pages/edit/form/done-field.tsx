import { useState } from 'preact/hooks';
import { Select } from '../../controls/form.js';
import type { Editing } from '../draft/editing.js';
import { type Place, put } from '@waymark/domain/flow-files/text';
import { ConditionField } from './condition-field.js';

interface DoneFieldProps {
  editing: Editing;
  /** Of the block or item. */
  place: Place;
  type: string;
}

const TYPES = ['card', 'modal', 'custom', 'checklistItem', 'hintsItem'];

/**
 * By which condition a block or item is left by itself, and of a custom block by which of its names
 * (Z1); folded without one.
 */
export function DoneField({ editing, place, type }: DoneFieldProps) {
  const done = [...place, 'done'];
  const [isOpen] = useState(() => isWritten(editing, done));
  if (!TYPES.includes(type)) return null;
  const hint = 'Once this holds for a user, it is done without a click.';
  return (
    <details class="group" open={isOpen}>
      <summary>Done by itself</summary>
      <div class="stack close">
        {type === 'custom' ? (
          <DoneOfCustom editing={editing} place={place} hint={hint} />
        ) : (
          <ConditionField editing={editing} place={done} label="Done when" hint={hint} isOptional />
        )}
      </div>
    </details>
  );
}

const isWritten = ({ source }: Editing, done: Place): boolean =>
  source.peek().value(done) !== undefined || source.peek().keys(done).length > 0;

function DoneOfCustom({ editing, place, hint }: Omit<DoneFieldProps, 'type'> & { hint: string }) {
  const { source } = editing;
  const [done, paths] = [
    [...place, 'done'],
    [...place, 'paths'],
  ];
  const names = source.value
    .keys(paths)
    .flatMap((key) => key.split(',').map((name) => name.trim()));
  const take = source.value.value([...done, 'take']);
  const write = (text: string, name: string): string => put(text, [...done, 'take'], name);
  return (
    <>
      <ConditionField
        editing={editing}
        place={[...done, 'when']}
        label="Done when"
        hint={hint}
        isOptional
        emptied={done}
        beside={(text) => (take === undefined ? write(text, names[0] ?? '') : text)}
      />
      {take !== undefined && (
        <Select
          label="Then it takes"
          value={take}
          of={[...new Set([take, ...names])]}
          onChange={(name) => editing.change(write(editing.text.peek(), name))}
        />
      )}
    </>
  );
}
