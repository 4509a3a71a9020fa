import type { ComponentChildren } from 'preact';
import type { Block, Field, Item } from '@waymark/domain/engine';
import { formatDuration } from '@waymark/domain/flow-files/text';
import { ConditionShown } from '../condition/condition-shown.js';
import { Titled, type Titles } from '../controls/titled.js';
import { RichText } from './rich-text.js';

interface BlockContentProps {
  block: Block;
  titles: Titles;
  /** Said about an item before its own texts. */
  besideItem: (item: string) => ComponentChildren;
}

/** What a block does, and what a user reads in it. */
export function BlockContent({ block, titles, besideItem }: BlockContentProps) {
  return (
    <>
      {'fields' in block && <Reading fields={block.fields} />}
      <Done part={block} />
      {block.type === 'branch' && <ConditionShown text={block.when} />}
      {block.type === 'delay' && <p>Waits {formatDuration(block.for)}, then goes on by itself.</p>}
      {block.type === 'split' && (
        <p>
          Sends a share of users each way
          {block.by === 'group' ? ', everybody of one group the same' : ''}:{' '}
          {block.ways.map(({ name, share }) => `${name} ${share}`).join(', ')}.
        </p>
      )}
      {block.type === 'webhook' && (
        <p>
          Sends a request to <code>{block.url}</code>.
        </p>
      )}
      {block.type === 'flow-trigger' && (
        <p>
          Has the user {block.intent} <code>{block.flow}</code>
          {block.version === 'latest' ? '' : `, version ${block.version}`}.
        </p>
      )}
      {block.type === 'gate' && <p>Waits until every block that leads here has taken its path.</p>}
      {'items' in block && <Items items={block.items} titles={titles} besideItem={besideItem} />}
      <Paths block={block} titles={titles} />
    </>
  );
}

function Items({
  items,
  titles,
  besideItem,
}: { items: readonly Item[] } & Pick<BlockContentProps, 'titles' | 'besideItem'>) {
  return (
    <ol class="stack items">
      {items.map((item) => (
        <li key={item.uid} class="stack close">
          <h3>
            <Titled id={item.id} titles={titles} />
          </h3>
          {besideItem(item.id)}
          <Reading fields={item.fields} />
          <Done part={item} />
        </li>
      ))}
    </ol>
  );
}

/** By which condition it is left by itself (Z1). */
function Done({ part }: { part: Block | Item }) {
  if (!('done' in part) || !part.done) return null;
  return (
    <div class="stack close">
      <p class="faint small">Done by itself, by {part.done.take}, once</p>
      <ConditionShown text={part.done.when} />
    </div>
  );
}

function Reading({ fields }: { fields: readonly Field[] }) {
  const isLabel = ({ sid }: Field): boolean => sid.endsWith('-label');
  const texts = fields.filter(
    (field) => field.value !== null && !isLabel(field) && field.sid !== 'display-index',
  );
  const labels = fields.filter((field) => field.value !== null && isLabel(field));
  if (texts.length + labels.length === 0) return null;
  return (
    <div class="reading">
      {texts.map((field) => (
        <FieldView key={field.sid} field={field} />
      ))}
      {labels.length > 0 && (
        <div class="row">
          {labels.map(({ sid, value }) => (
            <span key={sid} class="as-button" title={sid}>
              {String(value)}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

function FieldView({ field: { sid, value } }: { field: Field }) {
  if (Array.isArray(value)) return <RichText nodes={value} />;
  if (sid === 'title') return <b>{String(value)}</b>;
  if (sid === 'body') return <p>{String(value)}</p>;
  return (
    <p>
      <span class="faint">{sid}</span> {String(value)}
    </p>
  );
}

function Paths({ block: { paths }, titles }: Pick<BlockContentProps, 'block' | 'titles'>) {
  if (paths.length === 0) return <p class="faint">It leads nowhere.</p>;
  return (
    <dl class="facts">
      {paths.map(({ names, to }, index) => (
        <div key={index} class="contents">
          <dt>{names.join(', ')}</dt>
          <dd>
            → <Titled id={to} titles={titles} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
