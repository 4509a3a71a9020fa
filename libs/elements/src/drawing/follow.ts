import {
  arrow as pointAt,
  autoUpdate,
  computePosition,
  type ComputePositionConfig,
  type ComputePositionReturn,
  flip,
  hide,
  offset,
  shift,
} from '@floating-ui/dom';

const EDGE = 12;
const GAP = 14;
const FROM = { top: 'bottom', right: 'left', bottom: 'top', left: 'right' } as const;

/**
 * Keeps an element at its anchor until the function that it returns is called; hides it with the
 * anchor (N3).
 */
function keepAt(
  anchor: Element,
  element: HTMLElement,
  options: Pick<ComputePositionConfig, 'placement' | 'middleware'>,
  onPlace: (place: ComputePositionReturn, isHidden: boolean) => void,
): () => void {
  let isOver = false;
  const move = async (): Promise<void> => {
    unzoom(element.parentElement ?? element);
    const place = await computePosition(anchor, element, {
      strategy: 'fixed',
      placement: options.placement!,
      middleware: [...options.middleware!, hide()],
    });
    if (isOver) return;
    const isHidden = place.middlewareData.hide!.referenceHidden === true;
    element.style.visibility = isHidden ? 'hidden' : '';
    onPlace(place, isHidden);
  };
  const stop = autoUpdate(anchor, element, () => void move());
  return () => {
    isOver = true;
    stop();
  };
}

/** Keeps a popover beside its anchor. */
export function follow(
  anchor: Element,
  popover: HTMLElement,
  arrow: HTMLElement,
  /** Called with the place of the anchor in the window, and whether it is out of sight. */
  onMove: (rect: DOMRect, isHidden: boolean) => void = () => {},
): () => void {
  const middleware = [
    offset(GAP),
    flip({ padding: EDGE, crossAxis: false, fallbackPlacements: ['top', 'right', 'left'] }),
    shift({ padding: EDGE }),
    pointAt({ element: arrow, padding: 16 }),
  ];
  const options = { placement: 'bottom', middleware } as const;
  return keepAt(anchor, popover, options, ({ x, y, placement, middlewareData }, isHidden) => {
    const rect = anchor.getBoundingClientRect();
    const covers = !fits(y, popover) || overlaps(rect, x, y, popover);
    const place = covers
      ? { x: (innerWidth - popover.offsetWidth) / 2, y: innerHeight - popover.offsetHeight - EDGE }
      : { x, y };
    moveTo(popover, place.x, place.y);
    const side = placement.split('-')[0] as keyof typeof FROM;
    const { x: left, y: top } = middlewareData.arrow ?? {};
    arrow.hidden = covers;
    arrow.className = `arrow at-${FROM[side]}`;
    arrow.style.left = left === undefined ? '' : `${left}px`;
    arrow.style.top = top === undefined ? '' : `${top}px`;
    onMove(rect, isHidden);
  });
}

/** Keeps a mark on the corner of its anchor where a line ends. */
export function followCorner(anchor: Element, mark: HTMLElement): () => void {
  const middleware = [
    offset(({ rects: { floating } }) => ({
      mainAxis: -floating.height / 2,
      alignmentAxis: -floating.width / 2,
    })),
    shift({ padding: 2 }),
  ];
  return keepAt(anchor, mark, { placement: 'top-end', middleware }, ({ x, y }) =>
    moveTo(mark, x, y),
  );
}

/**
 * Where a page has given its body a zoom, what is placed in pixels of the window must not have it.
 */
function unzoom(element: HTMLElement): void {
  const { parentElement } = (element.getRootNode() as ShadowRoot).host;
  const { currentCSSZoom: zoom = 1 } = (parentElement ?? {}) as { currentCSSZoom?: number };
  element.style.zoom = `${1 / zoom}`;
}

function moveTo({ style }: HTMLElement, x: number, y: number): void {
  style.left = `${Math.round(x)}px`;
  style.top = `${Math.round(y)}px`;
}

const fits = (y: number, { offsetHeight }: HTMLElement): boolean =>
  y >= 0 && y + offsetHeight <= innerHeight;

const overlaps = (
  { left, right, top, bottom }: DOMRect,
  x: number,
  y: number,
  { offsetWidth, offsetHeight }: HTMLElement,
): boolean =>
  x < right - 1 && x + offsetWidth > left + 1 && y < bottom - 1 && y + offsetHeight > top + 1;
