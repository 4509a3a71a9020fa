/** A file of the pages. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** The same, compressed. */
  readonly gzipped: Buffer;
}
