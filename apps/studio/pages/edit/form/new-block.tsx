import { useState } from 'preact/hooks';
import { Options } from '../../controls/options.js';
import { BLOCK_TYPES, type BlockTypeName } from './blocks.js';

interface NewBlockProps {
  onAdd: (type: BlockTypeName) => void;
}

/** Chooses what kind of block is added. */
export function NewBlock({ onAdd }: NewBlockProps) {
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
