import type { Editing } from '../draft/editing.js';
import { FlowText, put, remove, swapWithNext } from '@waymark/domain/flow-files/text';
import { freeIdentifier, isTaken, removeTexts, renameKept } from './blocks.js';
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
    editing.change(put(editing.text.peek(), [...place, id], written));
  };
  const rename = (id: string, name: string): void => {
    const saved = FlowText.of(editing.savedText.peek());
    editing.change(renameKept(editing.source.peek(), [...place, id], name, saved));
  };
  const swap = (index: number): void =>
    editing.change(swapWithNext(editing.text.peek(), [...place, items[index]!]));
  return (
    <section class="stack close" aria-label="Items">
      <h3>Items</h3>
      {items.map((id, index) => (
        <details key={index} class="item-form" onFocusIn={() => (editing.item.value = id)}>
          <summary>
            <span class="grow">
              {editing.source.value.value([...place, id, 'fields', 'title']) ?? id}{' '}
              <code class="faint">{id}</code>
            </span>
          </summary>
          <div class="stack">
            <div class="row">
              <button
                type="button"
                class="tight"
                disabled={index === 0}
                onClick={() => swap(index - 1)}
              >
                ↑ Up
              </button>
              <button
                type="button"
                class="tight"
                disabled={index === items.length - 1}
                onClick={() => swap(index)}
              >
                ↓ Down
              </button>
              <button
                type="button"
                class="tight danger"
                disabled={items.length === 1}
                onClick={() =>
                  editing.change(removeTexts(remove(editing.text.peek(), [...place, id]), id))
                }
              >
                Remove
              </button>
            </div>
            <NameField
              key={id}
              label="Item"
              name={id}
              former={editing.source.value.value([...place, id, 'was'])}
              isTaken={(name) => isTaken(editing.source.peek(), name)}
              onRename={(name) => rename(id, name)}
            />
            <FieldsForm editing={editing} place={[...place, id]} type={ITEM[type] ?? ''} />
          </div>
        </details>
      ))}
      <button type="button" onClick={add}>
        Add item
      </button>
    </section>
  );
}
