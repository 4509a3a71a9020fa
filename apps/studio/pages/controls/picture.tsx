import { useEffect, useRef } from 'preact/hooks';

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
 * The picture of a flow. It is read as XML, in which nothing runs, and put into the page as elements. Blocks can be chosen
 * with pointer and keyboard.
 */
export function Picture({ svg, label, chosen, badges, onChoose, onInsert }: PictureProps) {
  const ref = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    const drawn = document.importNode(root, true);
    drawn.setAttribute('role', 'group');
    drawn.setAttribute('aria-label', label);
    for (const block of onChoose ? blocksOf(drawn) : []) {
      block.setAttribute('tabindex', '0');
      block.setAttribute('role', 'button');
    }
    const focused = ref.current!.querySelector<SVGElement>('[data-block]:focus')?.dataset['block'];
    ref.current!.replaceChildren(drawn);
    // Numbers change while somebody goes through the blocks by keyboard.
    blocksOf(drawn)
      .find(({ dataset }) => dataset['block'] === focused)
      ?.focus({ preventScroll: true });
    size(drawn);
    if (isFirst.current) showStart(drawn);
    isFirst.current = false;
    fitTexts(blocksOf(drawn));
    if (onInsert) for (const path of drawn.querySelectorAll<SVGPathElement>('path[data-from]')) addPlus(path);
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
  return <div class="picture" ref={ref} onClick={choose} onKeyDown={press} />;
}

function blocksOf(root: Element): SVGElement[] {
  return [...root.querySelectorAll<SVGElement>('[data-block]')].filter(({ dataset }) => !ENDS.includes(dataset['block']!));
}

/** Smaller than this share of its size nobody reads it: it scrolls then. */
const SMALLEST = 0.6;

function size(drawn: HTMLElement): void {
  const width = Number(drawn.getAttribute('width'));
  drawn.style.maxWidth = `${width}px`;
  drawn.style.minWidth = `${Math.round(width * SMALLEST)}px`;
}

/** Where the picture is wider than its room, it is looked at from where it begins. */
function showStart(drawn: Element): void {
  const start = drawn.querySelector('[data-block="start"]')?.getBoundingClientRect();
  const room = drawn.closest('.picture-box');
  if (start && room) room.scrollLeft += start.left + start.width / 2 - room.getBoundingClientRect().left - room.clientWidth / 2;
}

const INSET = 8;

/**
 * Texts are measured for one font, and are drawn closer where they would leave their block in that of the reader. All are
 * measured before the first is changed, or the browser would lay out the whole picture for each of them.
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

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Near where the path begins: its label stands in the middle. */
const PLUS_AT = 20;

function addPlus(path: SVGPathElement): void {
  const { from, to } = path.dataset as { from: string; to: string };
  const { x, y } = path.getPointAtLength(Math.min(PLUS_AT, path.getTotalLength() / 2));
  const about = { role: 'button', tabindex: 0, 'aria-label': `Add a block between ${from} and ${to}` };
  const plus = svgElement('g', { class: 'plus', transform: `translate(${x} ${y})`, ...about });
  Object.assign(plus.dataset, { from, to });
  plus.append(svgElement('circle', { r: 9 }), svgElement('path', { d: 'M-4 0H4M0 -4V4' }));
  path.parentNode!.append(plus);
}

/** A pill on the upper right corner. */
function addBadge(block: SVGGraphicsElement, text: string): void {
  const { x, y, width } = block.getBBox();
  const half = 8 + text.length * 3.6;
  const badge = svgElement('g', { class: 'badge', transform: `translate(${x + width - half + 6} ${y})` });
  const pill = svgElement('rect', { x: -half, y: -10, width: 2 * half, height: 20, rx: 10 });
  const letters = svgElement('text', { y: 4, 'text-anchor': 'middle', 'font-size': 11.5, 'font-weight': 700 });
  letters.textContent = text;
  const title = svgElement('title', {});
  title.textContent = `${text} here now`;
  badge.append(title, pill, letters);
  block.append(badge);
}
