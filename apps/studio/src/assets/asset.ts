/** A file of the pages. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** The same, compressed. */
  readonly gzipped: Buffer;
}

/** Injects the files of the pages by name. */
export const ASSETS = Symbol('assets');
