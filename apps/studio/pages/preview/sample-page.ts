import type { WireBlock } from './messages.js';

/** Places for anchors, so that tours move and hints are apart. */
const PLACES = 6;

/**
 * The page that an application would have around the blocks: grey bars, and in them an anchor for
 * every item that needs one, with the selector that its author wrote, or its name.
 */
export function drawPage(blocks: readonly WireBlock[]): void {
  const main = document.querySelector('main')!;
  const wanted = blocks
    .filter(({ type }) => type === 'tourItem' || type === 'hintsItem')
    .map((item, index) => ({ ...item, place: index % PLACES }))
    .filter(({ state }) => state.active);
  const drawn = JSON.stringify(wanted.map((item) => [item.sid, labelOf(item)]));
  if (main.dataset['drawn'] === drawn) return;
  main.dataset['drawn'] = drawn;
  main.replaceChildren(
    ...Array.from({ length: PLACES }, (_, place) => {
      const section = document.createElement('section');
      section.append(
        bar('head'),
        ...wanted.filter((item) => item.place === place).map(anchor),
        bar(),
        bar('short'),
      );
      return section;
    }),
  );
}

function anchor(item: WireBlock): HTMLElement {
  const place = document.createElement('span');
  place.className = 'anchor';
  place.dataset['waymark'] = item.sid;
  place.textContent = labelOf(item);
  return place;
}

function labelOf({ sid, fields }: WireBlock): string {
  const selector = fields.find((field) => field.sid === 'anchor')?.value;
  return typeof selector === 'string' && selector !== ''
    ? selector
    : sid.slice(sid.indexOf('.') + 1);
}

function bar(kind = ''): HTMLElement {
  const line = document.createElement('i');
  line.className = kind;
  return line;
}
