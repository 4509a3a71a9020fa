/** One version of one flow, as watches name it: a tag is resolved when the watch is made (L3). */
export interface WatchedVersion {
  readonly flow: string;
  readonly version: number;
}

/** Watches a socket holds at most; clients watch one or a few flows. */
export const MOST_WATCHES = 100;

const WATCH = /^([A-Za-z0-9][A-Za-z0-9_-]{0,127})@(0|[1-9][0-9]{0,9})$/;

/**
 * The watches of a socket as one text. socket.io-client keeps the last text that ended an event, as its `offset`, and
 * gives it back with the next handshake: so a returning socket brings its watches along to any replica (L7). It grants
 * nothing: whoever made one up could ask for the same watches by name.
 */
export const watchesText = (watches: Iterable<WatchedVersion>): string =>
  [...watches].map(({ flow, version }) => `${flow}@${version}`).join(' ');

/** The watches of a text; none where it is anything else, such as the text of an `error` that came last. */
export function parseWatchesText(text: unknown): WatchedVersion[] {
  if (typeof text !== 'string') return [];
  const watches = text.split(' ', MOST_WATCHES + 1).map((part) => WATCH.exec(part));
  if (watches.length > MOST_WATCHES || watches.some((watch) => watch === null)) return [];
  return watches.map((watch) => ({ flow: String(watch?.[1]), version: Number(watch?.[2]) }));
}
