import type { BlockView } from '@waymark/client';
import { dom } from './dom.js';

/**
 * The element that an item points at: the first visible one that the page has marked for it, else
 * the first visible one that its field `anchor` selects (N3).
 */
export function findAnchor(
  { name, fields }: BlockView,
  /** The selector cannot be read; called each time. */
  onUnreadable: (selector: string) => void,
): Element | undefined {
  const item = name.slice(name.indexOf('.') + 1);
  const { anchor } = fields;
  return (
    select(marked(name)) ??
    select(marked(item)) ??
    (typeof anchor === 'string' && anchor.trim() !== '' ? select(anchor, onUnreadable) : undefined)
  );
}

const marked = (name: string): string => `[data-waymark="${CSS.escape(name)}"]`;

function select(selector: string, onUnreadable?: (selector: string) => void): Element | undefined {
  try {
    return [...dom.querySelectorAll(selector)].find(isVisible);
  } catch {
    onUnreadable?.(selector);
    return undefined;
  }
}

/** Whether it is visible once it is scrolled into view. */
export const isVisible = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect();
  return (
    width + height > 0 &&
    element.checkVisibility({
      visibilityProperty: true,
      opacityProperty: true,
      contentVisibilityAuto: true,
    })
  );
};

/** The modal dialog that lies over everything else of the page, if one does. */
export const findModal = (): Element | undefined =>
  [...dom.querySelectorAll('dialog:modal')].at(-1);
