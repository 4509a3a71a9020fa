import type { Editing } from '../draft/editing.js';
import { placeName } from '../draft/use-wanted.js';
import { FlowText, put, remove, swapWithNext } from '@waymark/domain/flow-files/text';
import { freeIdentifier, isTaken, removeTexts, renameKept } from './blocks.js';
import { DoneField } from './done-field.js';
import { FieldsForm } from './fields-form.js';
import { NameField } from './name-field.js';

const ITEM = { checklist: 'checklistItem', tour: 'tourItem', hints: 'hintsItem' } as Readonly<
  Record<string, string>
>;

/** The items of a checklist, tour or hints, in their order. */
export function ItemsForm({
  editing,
  block,
  type,
}: {
  editing: Editing;
  block: string;
  type: string;
}) {
  const place = ['blocks', block, 'items'];
  const items = editing.source.value.keys(place);
  const add = (): void => {
    const id = freeIdentifier(editing.source.peek(), 'item');
    const written = ({ isFlow, indent }: { isFlow: boolean; indent: number }): string =>
      isFlow
        ? '{ fields: { title: A title } }'
        : `\n${' '.repeat(indent)}fields:\n${' '.repeat(indent + 2)}title: A title`;
    editing.begin(put(editing.text.peek(), [...place, id], written), [...place, id]);
  };
  const swap = (index: number): void =>
    editing.change(swapWithNext(editing.text.peek(), [...place, items[index]!]));
  return (
    <section class="stack close" aria-label="Items">
      <h3>Items</h3>
      {items.map((id, index) => (
        <ItemForm
          key={index}
          editing={editing}
          place={[...place, id]}
          type={ITEM[type] ?? ''}
          isLast={index === items.length - 1}
          isFirst={index === 0}
          onUp={() => swap(index - 1)}
          onDown={() => swap(index)}
        />
      ))}
      <button type="button" onClick={add}>
        Add item
      </button>
    </section>
  );
}

interface ItemFormProps {
  editing: Editing;
  /** Where the item is in the file; its identifier comes last. */
  place: readonly string[];
  type: string;
  isFirst: boolean;
  isLast: boolean;
  onUp: () => void;
  onDown: () => void;
}

function ItemForm({ editing, place, type, isFirst, isLast, onUp, onDown }: ItemFormProps) {
  const id = place.at(-1)!;
  const rename = (name: string): void => {
    const saved = FlowText.of(editing.savedText.peek());
    editing.change(renameKept(editing.source.peek(), place, name, saved));
  };
  return (
    <details
      class="item-form"
      data-place={placeName(place)}
      onFocusIn={() => (editing.item.value = id)}
    >
      <summary>
        <span class="grow">
          {editing.source.value.value([...place, 'fields', 'title']) ?? id}{' '}
          <code class="faint">{id}</code>
        </span>
      </summary>
      <div class="stack">
        <div class="row">
          <button type="button" class="tight" disabled={isFirst} onClick={onUp}>
            ↑ Up
          </button>
          <button type="button" class="tight" disabled={isLast} onClick={onDown}>
            ↓ Down
          </button>
          <button
            type="button"
            class="tight danger"
            disabled={isFirst && isLast}
            onClick={() => editing.change(removeTexts(remove(editing.text.peek(), place), id))}
          >
            Remove
          </button>
        </div>
        <NameField
          key={id}
          label="Item"
          name={id}
          former={editing.source.value.value([...place, 'was'])}
          isTaken={(name) => isTaken(editing.source.peek(), name)}
          onRename={rename}
        />
        <FieldsForm editing={editing} place={place} type={type} />
        <DoneField key={`done ${id}`} editing={editing} place={place} type={type} />
      </div>
    </details>
  );
}
