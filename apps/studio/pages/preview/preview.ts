import type { BlockView, FlowView, Waymark } from '@waymark/client';
import { showFlows } from '@waymark/elements';
import { drawCustom } from '../see-it/draw-custom.js';
import type { Given, Step, WireBlock } from './messages.js';
import { drawPage } from './sample-page.js';
import './preview.css';

type Listener = (view: FlowView) => void;

let given: Given | undefined;
let stop = (): void => {};
let notify: Listener = () => {};

/**
 * A view for the elements, as the client of an application would make it; what is done in it is
 * passed to the editor.
 */
function createView({ flow, language, blocks }: Given['shown']): FlowView {
  const views = new Map<string, BlockView>();
  // From behind, so that the items of a container are there before it.
  for (const block of blocks.toReversed()) {
    const items = blocks.filter(({ containerUid }) => containerUid === block.uid);
    views.set(
      block.sid,
      createBlockView(
        block,
        items.map(({ sid }) => views.get(sid)!),
      ),
    );
  }
  return {
    name: flow,
    ...(language !== undefined && { language }),
    started: true,
    blocks: blocks.map(({ sid }) => views.get(sid)),
  } as unknown as FlowView;
}

function createBlockView(block: WireBlock, items: readonly BlockView[]): BlockView {
  const { sid, type, state, transitioned, fields } = block;
  const take = (name: string) => () => {
    const step: Step = { step: `${sid.slice(sid.indexOf('.') + 1)}:${name}` };
    parent.postMessage(step, location.origin);
  };
  return {
    name: sid,
    type,
    ...state,
    transitioned,
    fields: Object.fromEntries(fields.map((field) => [field.sid, field.value])),
    items,
    transition: (name: string) => take(name)(),
    ...Object.fromEntries(Object.keys(transitioned).map((name) => [name, take(name)])),
  } as unknown as BlockView;
}

function draw(next: Given): void {
  const before = given;
  given = next;
  const { shown, isDark, isPlay } = next;
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  document.documentElement.lang = shown.language ?? '';
  drawPage(shown.blocks);
  const view = createView(shown);
  if (before?.isPlay === isPlay && before.shown.flow === shown.flow) return notify(view);
  stop();
  const client = {
    flows: [shown.flow],
    live: true,
    report: () => {},
    flow: () => ({
      subscribe(listener: Listener) {
        notify = listener;
        listener(view);
        return () => (notify = () => {});
      },
    }),
  } as unknown as Waymark;
  stop = showFlows(client, { preview: !isPlay, renderers: { custom: drawCustom } });
}

// Others write to frames as well, such as extensions and tools that look for barriers.
addEventListener(
  'message',
  ({ origin, source, data }: MessageEvent<Partial<Given> | undefined>) => {
    if (origin === location.origin && source === parent && data?.shown) draw(data as Given);
  },
);
// Another page in the frame would be none of the flow.
document.addEventListener('click', (event) => {
  const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  if (link && link.target !== '_blank') event.preventDefault();
});
parent.postMessage('ready', location.origin);
