import { Dialog } from '../../controls/dialog.js';
import { BLOCK_TYPES, type BlockTypeName } from './blocks.js';

interface ChooseTypeProps {
  title: string;
  onChoose: (type: BlockTypeName) => void;
  onClose: () => void;
}

/** What kind of block is added in a place that is known already. */
export function ChooseType({ title, onChoose, onClose }: ChooseTypeProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ul class="choices">
        {Object.entries(BLOCK_TYPES).map(([type, description]) => (
          <li key={type}>
            <button
              type="button"
              class="block-choice"
              onClick={() => onChoose(type as BlockTypeName)}
            >
              <Description text={description} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The name of the type, and what it is. */
function Description({ text }: { text: string }) {
  const [name, what] = text.split(': ');
  return (
    <span>
      <b>{name}</b> <span class="faint">{what}</span>
    </span>
  );
}
