import { useEffect, useRef } from 'preact/hooks';
import { fold } from './folded.js';
import { PictureZoom } from './picture-zoom.js';

interface PictureProps {
  /** As the server has drawn it. */
  svg: string;
  label: string;
  /** The block that is chosen. */
  chosen?: string | undefined;
  /** A few letters at the corner of blocks, by block. */
  badges?: Readonly<Record<string, string>> | undefined;
  onChoose?: ((block: string | undefined) => void) | undefined;
  /** Puts a `+` on every path, for a block between its ends. */
  onInsert?: ((from: string, to: string) => void) | undefined;
}

const ENDS = ['start', 'finish'];
const SVG = 'http://www.w3.org/2000/svg';

/**
 * The picture of a flow. It is read as XML, in which nothing runs, and put into the page as
 * elements. Blocks can be chosen with pointer and keyboard, and containers folded (T19).
 */
export function Picture({ svg, label, chosen, badges, onChoose, onInsert }: PictureProps) {
  const ref = useRef<HTMLDivElement>(null);
  const zoom = useRef<PictureZoom>(null);
  useEffect(() => {
    zoom.current = new PictureZoom(ref.current!);
    return zoom.current.listen();
  }, []);
  useEffect(() => {
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    const drawn = document.importNode(root, true) as Element as SVGSVGElement;
    drawn.setAttribute('role', 'group');
    drawn.setAttribute('aria-label', label);
    for (const block of onChoose ? blocksOf(drawn) : []) {
      block.setAttribute('tabindex', '0');
      block.setAttribute('role', 'button');
    }
    const focused = ref.current!.querySelector<SVGElement>(':focus')?.dataset;
    ref.current!.replaceChildren(drawn);
    zoom.current!.show(drawn);
    fitTexts(blocksOf(drawn));
    for (const block of drawn.querySelectorAll<SVGGraphicsElement>('[data-items]')) addFold(block);
    if (focused) focusAgain(drawn, focused);
    if (onInsert)
      for (const path of drawn.querySelectorAll<SVGPathElement>('path[data-from]')) addPlus(path);
  }, [svg, label, onChoose !== undefined, onInsert !== undefined]);
  useEffect(() => {
    for (const old of ref.current!.querySelectorAll('.badge')) old.remove();
    for (const block of blocksOf(ref.current!)) {
      const text = badges?.[block.dataset['block']!];
      if (text !== undefined) addBadge(block as SVGGraphicsElement, text);
    }
  }, [svg, label, badges, onChoose !== undefined]);
  useEffect(() => {
    for (const block of blocksOf(ref.current!)) {
      const isChosen = block.dataset['block'] === chosen;
      block.classList.toggle('chosen', isChosen);
      if (onChoose) block.setAttribute('aria-pressed', String(isChosen));
    }
  }, [svg, label, chosen, onChoose !== undefined]);
  const choose = (event: Event): void => {
    const handle = (event.target as Element).closest<SVGElement>('.fold');
    if (handle) return fold(handle.dataset['of']!, handle.getAttribute('aria-expanded') === 'true');
    const plus = (event.target as Element).closest<SVGElement>('.plus');
    if (plus) return onInsert?.(plus.dataset['from']!, plus.dataset['to']!);
    const block = (event.target as Element).closest<SVGElement>('[data-block]')?.dataset['block'];
    onChoose?.(block === undefined || ENDS.includes(block) ? undefined : block);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose(event);
  };
  return (
    <>
      <div class="picture-tools" role="group" aria-label="Size of the picture">
        <button type="button" aria-label="Smaller" onClick={() => zoom.current!.smaller()}>
          −
        </button>
        <button type="button" aria-label="Larger" onClick={() => zoom.current!.larger()}>
          +
        </button>
        <button type="button" onClick={() => zoom.current!.fit()}>
          Fit
        </button>
      </div>
      <div class="picture" ref={ref} onClick={choose} onKeyDown={press} />
    </>
  );
}

/** Numbers change, and containers fold, while the user moves between blocks by keyboard. */
function focusAgain(drawn: Element, { block, of }: DOMStringMap): void {
  const name = block !== undefined ? `[data-block="${block}"]` : `.fold[data-of="${of}"]`;
  drawn.querySelector<SVGElement>(name)?.focus({ preventScroll: true });
}

function blocksOf(root: Element): SVGElement[] {
  return [...root.querySelectorAll<SVGElement>('[data-block]')].filter(
    ({ dataset }) => !ENDS.includes(dataset['block']!),
  );
}

const INSET = 8;

/**
 * Texts are measured for one font, and are drawn closer where they would leave their block in that
 * of the reader. All are measured before the first is changed, or the browser would lay out the
 * whole picture for each of them.
 */
function fitTexts(blocks: readonly SVGElement[]): void {
  for (const { text, room } of blocks.flatMap(tooWide)) {
    text.setAttribute('textLength', String(room));
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
}

function tooWide(block: SVGElement): { text: SVGTextElement; room: number }[] {
  const outline = block.querySelector<SVGGraphicsElement>('rect, polygon')?.getBBox();
  if (!outline) return [];
  return [...block.querySelectorAll('text')].flatMap((text) => {
    const { x, width } = text.getBBox();
    const isCentred = text.getAttribute('text-anchor') !== null;
    const room = outline.width - INSET - (isCentred ? INSET : x - outline.x);
    return width > room ? [{ text, room }] : [];
  });
}

function svgElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Near where the path begins: its label is in the middle. */
const PLUS_AT = 20;

function addPlus(path: SVGPathElement): void {
  const { from, to } = path.dataset as { from: string; to: string };
  const { x, y } = path.getPointAtLength(Math.min(PLUS_AT, path.getTotalLength() / 2));
  const about = {
    role: 'button',
    tabindex: 0,
    'aria-label': `Add a block between ${from} and ${to}`,
  };
  const plus = svgElement('g', { class: 'plus', transform: `translate(${x} ${y})`, ...about });
  Object.assign(plus.dataset, { from, to });
  plus.append(svgElement('circle', { r: 9 }), svgElement('path', { d: 'M-4 0H4M0 -4V4' }));
  path.parentNode!.append(plus);
}

/** Opens and closes a container, at its upper left corner. */
function addFold(block: SVGGraphicsElement): void {
  const { x, y } = block.getBBox();
  const of = block.dataset['block']!;
  const isFolded = block.dataset['folded'] !== undefined;
  const handle = svgElement('g', {
    class: 'fold',
    transform: `translate(${x + 2} ${y + 2})`,
    role: 'button',
    tabindex: 0,
    'aria-expanded': String(!isFolded),
    'aria-label': `Items of ${of}`,
  });
  handle.dataset['of'] = of;
  handle.append(
    svgElement('circle', { r: 9 }),
    svgElement('path', { d: isFolded ? 'M-2 -4L2 0L-2 4' : 'M-4 -2L0 2L4 -2' }),
  );
  // Beside its block, since a button must not be within another one.
  block.parentNode!.append(handle);
}

/** A pill on the upper right corner. */
function addBadge(block: SVGGraphicsElement, text: string): void {
  const { x, y, width } = block.getBBox();
  const half = 8 + text.length * 3.6;
  const badge = svgElement('g', {
    class: 'badge',
    transform: `translate(${x + width - half + 6} ${y})`,
  });
  const pill = svgElement('rect', { x: -half, y: -10, width: 2 * half, height: 20, rx: 10 });
  const letters = svgElement('text', {
    y: 4,
    'text-anchor': 'middle',
    'font-size': 11.5,
    'font-weight': 700,
  });
  letters.textContent = text;
  const title = svgElement('title', {});
  title.textContent = `${text} here now`;
  badge.append(title, pill, letters);
  block.append(badge);
}
