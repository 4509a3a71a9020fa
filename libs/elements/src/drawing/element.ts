import { dom } from '../page/dom.js';

type Child = Node | string | null | undefined | false;
/**
 * `part`, `class`, `role`, `aria-…` and so on become attributes; `on…` listeners; what is undefined
 * or false is left out.
 */
type Given = Readonly<Record<string, unknown>>;

/** An element, made without markup, so that no text ever becomes any. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  given: Given = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = dom.createElement(tag);
  set(element, given);
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

export function set(element: Element, given: Given): void {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'function')
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    else if (value === undefined || value === null || value === false)
      element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : `${value as string}`);
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** A picture of lines, for eyes only. */
export function icon(path: string, size = 16): SVGElement {
  const svg = dom.createElementNS(SVG, 'svg');
  const line = dom.createElementNS(SVG, 'path');
  set(svg, { viewBox: `0 0 ${size} ${size}`, width: size, height: size, 'aria-hidden': 'true' });
  set(line, { d: path });
  svg.append(line);
  return svg;
}

export const CROSS = 'M4.5 4.5l7 7m0-7l-7 7';
export const TICK = 'M4.5 8.3l2.4 2.4 4.6-5.2';
export const CHEVRON = 'M4.5 6.5L8 10l3.5-3.5';
