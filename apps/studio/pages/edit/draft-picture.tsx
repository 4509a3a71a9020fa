import { useState } from 'preact/hooks';
import { Picture } from '../controls/picture.js';
import type { Editing } from './draft/editing.js';
import { insertBetween, nameIn } from './form/blocks.js';
import { ChooseType } from './form/choose-type.js';

/** The draft as a picture, in which blocks are chosen and put on paths. */
export function DraftPicture({ editing, onChoose }: { editing: Editing; onChoose: () => void }) {
  const { svg, chosen, tried } = editing;
  const [between, setBetween] = useState<{ from: string; to: string }>();
  const shown = tried.value?.svg ?? svg.value;
  const choose = (block: string | undefined): void => {
    chosen.value = block;
    onChoose();
  };
  return (
    <>
      <WhyNoPicture editing={editing} />
      {shown !== undefined && (
        <Picture
          svg={shown}
          label="The draft"
          chosen={chosen.value}
          onChoose={choose}
          onInsert={(from, to) => setBetween({ from, to })}
        />
      )}
      {between && (
        <ChooseType
          title={`A new block between ${nameIn(editing.source.peek(), between.from)} and ${nameIn(editing.source.peek(), between.to)}`}
          onClose={() => setBetween(undefined)}
          onChoose={(type) => {
            const source = editing.source.peek();
            const { text, id } = insertBetween(source, between.from, between.to, type);
            setBetween(undefined);
            editing.begin(text, ['blocks', id]);
            onChoose();
          }}
        />
      )}
    </>
  );
}

function WhyNoPicture({ editing }: { editing: Editing }) {
  const why = editing.noPicture.value;
  return (
    <>
      {why === 'large' && (
        <p class="note">
          This flow is large.{' '}
          <button type="button" onClick={() => void editing.draw()}>
            Draw it
          </button>
        </p>
      )}
      {why === 'tangled' && (
        <p class="note">
          The paths of this flow lead so far across each other that a picture would be a tangle.
        </p>
      )}
      {why === 'error' && (
        <p class="note warn">The picture shows the flow before the problem below.</p>
      )}
    </>
  );
}
