import type { BlockView } from '@waymark/client';
import type { Context, Drawn } from '../drawing/context.js';
import { dom } from '../page/dom.js';

/** A block that an application draws itself. */
export interface Rendered {
  /** The block changed, and is still active. */
  update?(view: BlockView): void;
  /** The block is no longer active; the element goes away by itself. */
  remove?(): void;
}

/**
 * Called once when a block becomes active, with an empty element of the page: in its slot, else at
 * the end of the body.
 */
export type Renderer = (view: BlockView, root: HTMLElement) => Rendered | void;

/** Types of which one at most is on a page. */
const TAKES_TURN = ['modal', 'tour'];

/**
 * A block that the application draws itself. It holds the turn, where its type needs one, for as
 * long as it is active.
 */
export function drawRendered(context: Context, first: BlockView, render: Renderer): Drawn {
  let view = first;
  let rendered: Rendered | undefined;
  let root: HTMLElement | undefined;
  const show = (): void => {
    root = dom.createElement('div');
    (context.slot() ?? dom.body).append(root);
    rendered = render(view, root) ?? {};
  };
  const claim = {
    rank: context.rank,
    isReady: () => true,
    onTurn: (hasTurn: boolean) => hasTurn && attempt(context, show),
  };
  const withdraw = TAKES_TURN.includes(view.type!)
    ? context.page.turn.claim(claim)
    : attempt(context, show);
  return {
    update(now) {
      view = now;
      attempt(context, () => rendered?.update?.(view));
    },
    remove() {
      withdraw?.();
      attempt(context, () => rendered?.remove?.());
      root?.remove();
    },
    waits: () => (root ? [] : ['for its turn']),
  };
}

/** What the application throws is its own: the other blocks go on. */
function attempt(context: Context, run: () => void): undefined {
  try {
    run();
  } catch (error) {
    context.report('renderer_error', `the renderer of ${context.name} threw: ${error as string}`);
  }
}
