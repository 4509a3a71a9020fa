import type { BlockView } from '@waymark/client';
import type { Context } from './context.js';
import { findAnchor } from '../page/find-anchor.js';

/** How long an anchor may be missing before the application hears of it. */
const PATIENCE_MS = 5_000;

/**
 * Looks for the anchor of an item, and reports to the application, once, one that does not appear.
 */
export class AnchorFinder {
  private item = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: Pick<Context, 'report'>) {}

  find(item: BlockView): Element | undefined {
    const { report } = this.context;
    const anchor = findAnchor(item, (selector) =>
      report('anchor_unreadable', `the anchor of ${item.name} is no CSS selector: ${selector}`),
    );
    if (anchor) this.stop();
    else if (this.item !== item.name) this.start(item.name);
    return anchor;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.item = '';
  }

  private start(name: string): void {
    this.stop();
    this.item = name;
    const item = name.slice(name.indexOf('.') + 1);
    this.timer = setTimeout(
      () =>
        this.context.report(
          'anchor_missing',
          `${name} waits for its anchor: nothing that can be seen has data-waymark="${item}", and its field anchor selects nothing`,
        ),
      PATIENCE_MS,
    );
  }
}
