import type { BlockView } from '@waymark/client';
import type { Page } from '../page/page.js';
import type { Words } from '../texts/words.js';

/** What a block is drawn with. */
export interface Context {
  readonly page: Page;
  readonly isPreview: boolean;
  /** `onboarding.welcome`. */
  readonly name: string;
  words(): Words;
  /** Of the texts, such as `de`. */
  language(): string | undefined;
  /** The place that the application has for the block. */
  slot(): HTMLElement | undefined;
  /** The position of the block among all of the page. */
  rank(): readonly number[];
  /** Tells the application, once for each text. */
  report(code: string, details: string): void;
}

/** A block on the page, until it is removed. */
export interface Drawn {
  update(view: BlockView): void;
  /** Anything in the document may have changed. */
  recheck?(): void;
  remove(): void;
  /** What it waits for, in words for developers. */
  waits?(): readonly string[];
}

export type Draw = (context: Context, view: BlockView) => Drawn;
