/**
 * A picture smaller than this share of its size cannot be read: where there is less room, it
 * scrolls.
 */
const SMALLEST_UNASKED = 0.6;
const SMALLEST = 0.1;
const LARGEST = 3;
const STEP = 1.25;
/** A pointer that moved this far drags; a shorter way is a click. */
const DRAG_FROM = 4;

/**
 * How large a picture is shown in the box that scrolls it, and which part of it: by button, wheel
 * and pointer (T19).
 */
export class PictureZoom {
  /** Undefined until the user chooses one: as wide as the box, within what can be read. */
  private scale: number | undefined;
  private drawn: SVGSVGElement | undefined;

  constructor(private readonly frame: HTMLElement) {}

  private get box(): HTMLElement {
    return this.frame.closest<HTMLElement>('.picture-box') ?? this.frame;
  }

  private get size(): { width: number; height: number } {
    const [width, height] = ['width', 'height'].map((name) =>
      Number(this.drawn!.getAttribute(name)),
    );
    return { width: width!, height: height! };
  }

  /** Shows another picture at the size of the one before. */
  show(drawn: SVGSVGElement): void {
    const isFirst = !this.drawn;
    this.drawn = drawn;
    this.resize();
    if (isFirst) this.showStart();
  }

  larger = (): void => this.zoom(STEP);
  smaller = (): void => this.zoom(1 / STEP);

  /** All of the picture at once. */
  fit = (): void => {
    if (!this.drawn) return;
    const { width, height } = this.size;
    const { clientWidth, clientHeight } = this.box;
    this.scale = clamp(Math.min(clientWidth / width, clientHeight / height, 1));
    this.resize();
  };

  /** Follows wheel and pointer until the returned function is called. */
  listen(): () => void {
    const { box } = this;
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? STEP : 1 / STEP, event);
    };
    const down = (event: PointerEvent): void => this.drag(event);
    box.addEventListener('wheel', wheel, { passive: false });
    this.frame.addEventListener('pointerdown', down);
    return () => {
      box.removeEventListener('wheel', wheel);
      this.frame.removeEventListener('pointerdown', down);
    };
  }

  /** The point stays where it is; the middle of what is in sight, where none is given. */
  private zoom(factor: number, point?: { clientX: number; clientY: number }): void {
    if (!this.drawn) return;
    const { box } = this;
    const around = box.getBoundingClientRect();
    const at = {
      x: point ? point.clientX - around.left : box.clientWidth / 2,
      y: point ? point.clientY - around.top : box.clientHeight / 2,
    };
    const before = this.drawn.getBoundingClientRect();
    const inside = { x: at.x - before.left + around.left, y: at.y - before.top + around.top };
    const current = before.width / this.size.width;
    this.scale = clamp(current * factor);
    this.resize();
    const after = this.drawn.getBoundingClientRect();
    const grown = after.width / before.width;
    box.scrollLeft += after.left - around.left + inside.x * grown - at.x;
    box.scrollTop += after.top - around.top + inside.y * grown - at.y;
  }

  private resize(): void {
    const { width } = this.size;
    const { style } = this.drawn!;
    const asked = this.scale === undefined ? undefined : `${Math.round(width * this.scale)}px`;
    const least = asked ?? `${Math.round(width * SMALLEST_UNASKED)}px`;
    style.minWidth = this.frame.style.minWidth = least;
    style.maxWidth = asked ?? `${width}px`;
  }

  /** Where the picture is wider than its box, it is looked at from where it begins. */
  private showStart(): void {
    const start = this.drawn!.querySelector('[data-block="start"]')?.getBoundingClientRect();
    if (!start) return;
    const { box } = this;
    box.scrollLeft +=
      start.left + start.width / 2 - box.getBoundingClientRect().left - box.clientWidth / 2;
  }

  /** Moves the picture with the mouse; fingers scroll it by themselves. */
  private drag(event: PointerEvent): void {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    const { box, frame } = this;
    const from = { x: box.scrollLeft + event.clientX, y: box.scrollTop + event.clientY };
    let isDragging = false;
    const move = ({ clientX, clientY }: PointerEvent): void => {
      isDragging ||= Math.hypot(clientX - event.clientX, clientY - event.clientY) > DRAG_FROM;
      if (!isDragging) return;
      frame.classList.add('dragged');
      box.scrollTo(from.x - clientX, from.y - clientY);
    };
    const up = (): void => {
      window.removeEventListener('pointermove', move);
      frame.classList.remove('dragged');
      if (isDragging) frame.addEventListener('click', ignore, { capture: true, once: true });
      // A click follows at once, or not at all where the pointer is outside of the picture by now.
      setTimeout(() => frame.removeEventListener('click', ignore, { capture: true }));
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up, { once: true });
  }
}

const ignore = (event: Event): void => event.stopPropagation();

const clamp = (scale: number): number => Math.min(LARGEST, Math.max(SMALLEST, scale));
