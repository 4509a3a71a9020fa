import type { ShownBlocks } from '../../src/edit/edit-views.js';

export type WireBlock = ShownBlocks['blocks'][number];

/** What the editor sends to the frame to draw. */
export interface Given {
  readonly shown: ShownBlocks;
  readonly isDark: boolean;
  /** Whether it is clicked through, or looked at. */
  readonly isPlay: boolean;
}

/** What was clicked in the frame: `welcome:complete`. */
export interface Step {
  readonly step: string;
}
