import {
  arrow as pointAt,
  autoUpdate,
  computePosition,
  flip,
  hide,
  offset,
  shift,
} from '@floating-ui/dom';

const EDGE = 12;
const GAP = 14;
const FROM = { top: 'bottom', right: 'left', bottom: 'top', left: 'right' } as const;

/** Keeps a popover at its anchor until the function that it returns is called; hides it with the anchor (N3). */
export function follow(
  anchor: Element,
  popover: HTMLElement,
  arrow: HTMLElement,
  /** Called with the place of the anchor in the window, and whether it is out of sight. */
  onMove: (rect: DOMRect, isHidden: boolean) => void = () => {},
): () => void {
  let isOver = false;
  const move = async (): Promise<void> => {
    const { x, y, placement, middlewareData } = await computePosition(anchor, popover, {
      strategy: 'fixed',
      placement: 'bottom',
      middleware: [
        offset(GAP),
        flip({ padding: EDGE, crossAxis: false, fallbackPlacements: ['top', 'right', 'left'] }),
        shift({ padding: EDGE }),
        pointAt({ element: arrow, padding: 16 }),
        hide(),
      ],
    });
    if (isOver) return;
    const rect = anchor.getBoundingClientRect();
    const isHidden = middlewareData.hide!.referenceHidden === true;
    const covers = !fits(y, popover) || overlaps(rect, x, y, popover);
    const place = covers
      ? { x: (innerWidth - popover.offsetWidth) / 2, y: innerHeight - popover.offsetHeight - EDGE }
      : { x, y };
    moveTo(popover, place.x, place.y);
    popover.style.visibility = isHidden ? 'hidden' : '';
    const side = placement.split('-')[0] as keyof typeof FROM;
    const { x: left, y: top } = middlewareData.arrow ?? {};
    arrow.hidden = covers;
    arrow.className = `arrow at-${FROM[side]}`;
    arrow.style.left = left === undefined ? '' : `${left}px`;
    arrow.style.top = top === undefined ? '' : `${top}px`;
    onMove(rect, isHidden);
  };
  const stop = autoUpdate(anchor, popover, () => void move());
  return () => {
    isOver = true;
    stop();
  };
}

/** Keeps a mark on the corner of its anchor where a line ends. */
export function followCorner(anchor: Element, mark: HTMLElement): () => void {
  let isOver = false;
  const move = async (): Promise<void> => {
    const { x, y, middlewareData } = await computePosition(anchor, mark, {
      strategy: 'fixed',
      placement: 'top-end',
      middleware: [
        offset(({ rects: { floating } }) => ({
          mainAxis: -floating.height / 2,
          alignmentAxis: -floating.width / 2,
        })),
        shift({ padding: 2 }),
        hide(),
      ],
    });
    if (isOver) return;
    moveTo(mark, x, y);
    mark.style.visibility = middlewareData.hide!.referenceHidden ? 'hidden' : '';
  };
  const stop = autoUpdate(anchor, mark, () => void move());
  return () => {
    isOver = true;
    stop();
  };
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
