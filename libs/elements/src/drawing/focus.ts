import { dom } from '../page/dom.js';

/** What has the focus, in shadow roots too. */
function focused(): Element | null {
  let element = dom.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/**
 * Whether the focus may be moved: it is on nothing, or on something outside of forms and frames.
 */
export function mayTakeFocus(): boolean {
  const element = focused();
  return (
    !element?.closest('form, input, textarea, select, iframe') &&
    !(element as HTMLElement | null)?.isContentEditable
  );
}

/** Gives the focus to an element; returns a function that gives it back, if it is still within. */
export function takeFocus(element: HTMLElement, isWithin: () => boolean): () => void {
  const before = focused() as HTMLElement | null;
  element.focus({ preventScroll: true });
  return () => {
    if (isWithin() && before?.isConnected) before.focus({ preventScroll: true });
  };
}

/**
 * Calls when Escape is pressed within the layer, or on nothing; what the page has answered already
 * is left alone.
 */
export function onEscape(host: Element, escape: () => void): () => void {
  const onKeydown = (event: KeyboardEvent): void => {
    const isHere = event.composedPath().includes(host) || event.target === dom.body;
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !isHere) return;
    event.preventDefault();
    escape();
  };
  dom.addEventListener('keydown', onKeydown);
  return () => dom.removeEventListener('keydown', onKeydown);
}
