import type { Block } from '@waymark/domain/engine';
import type { FlowShown, Picture as Drawn } from '../../src/flows/flow-views.js';
import { call, path } from '../api/call.js';
import { Shown, useLoaded } from '../controls/loaded.js';
import { Picture } from '../controls/picture.js';
import { choose, query } from '../place/place.js';
import { BlockContent } from './block-content.js';

interface PictureTabProps {
  environment: string;
  shown: FlowShown;
}

/** The picture, and beside it the flow in words or the block that was clicked. */
export function PictureTab({ environment, shown }: PictureTabProps) {
  const { flow, version, definition } = shown;
  const chosen = query.value.get('block') ?? undefined;
  const block = definition.blocks.find(({ id }) => id === chosen);
  const picture = useLoaded(`${environment} ${flow} ${version} picture`, (signal) =>
    call<Drawn>(`${path`/api/${environment}/flows/${flow}/picture`}?version=${version}`, { signal }),
  );
  return (
    <div class="beside">
      <div class="picture-box" tabIndex={0} role="region" aria-label="Picture of the flow">
        <Shown of={picture} what="the picture">
          {({ svg }) => (
            <Picture
              svg={svg}
              label={`The blocks of ${flow} and the paths between them`}
              chosen={chosen}
              onChoose={(next) => choose({ block: next }, { replace: true })}
            />
          )}
        </Shown>
      </div>
      <aside aria-label={block ? `Block ${block.id}` : 'The flow in words'}>
        {block ? <BlockPane block={block} /> : <FlowPane shown={shown} />}
      </aside>
    </div>
  );
}

function FlowPane({ shown: { definition, versions, version } }: { shown: FlowShown }) {
  const about = versions.find((one) => one.version === version);
  return (
    <section class="card stack">
      <h2>Who enters</h2>
      {definition.target.users === 'matching' ? (
        <>
          <p>Users for whom this holds:</p>
          <pre>{definition.target.when}</pre>
        </>
      ) : (
        <p>{definition.target.users === 'all' ? 'Every user.' : 'Nobody by themselves: the application starts it.'}</p>
      )}
      {about?.message && (
        <>
          <h3>Why this version</h3>
          <p>{about.message}</p>
        </>
      )}
      <p class="faint small">Click a block to see what users read in it.</p>
    </section>
  );
}

function BlockPane({ block }: { block: Block }) {
  return (
    <section class="card stack">
      <div class="row apart">
        <h2>{block.id}</h2>
        <button type="button" class="quiet tight" onClick={() => choose({ block: undefined }, { replace: true })}>
          Close
        </button>
      </div>
      <p>
        <span class="chip">{block.type}</span>
      </p>
      <BlockContent block={block} />
    </section>
  );
}
