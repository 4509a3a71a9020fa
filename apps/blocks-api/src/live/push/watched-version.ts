import { IDENTIFIER_PATTERN } from '@waymark/domain/engine';
import type { Reading } from './push.js';

/** One version of one flow, as watches name it: a tag is resolved when the watch is made (L3). */
export interface WatchedVersion {
  readonly flow: string;
  readonly version: number;
}

/** A version that is watched here, shared by all its watchers. */
export interface SharedVersion extends WatchedVersion {
  /** What users without a state in it see; undefined until it was first shown. */
  atRest: Reading | undefined;
  /** The flow was archived, and its watchers were notified (B12). */
  isArchived: boolean;
  /** How many states of it are watched. */
  states: number;
}

/** Watches a socket holds at most; clients watch one or a few flows. */
export const MOST_WATCHES = 100;

const WATCH = new RegExp(`^(?<flow>${IDENTIFIER_PATTERN})@(?<version>0|[1-9][0-9]{0,9})$`);

/**
 * The watches of a socket as one text. socket.io-client keeps the last text that ended an event, as
 * its `offset`, and gives it back with the next handshake: so a returning socket brings its watches
 * along to any replica (L7). It grants nothing: a forged offset gives nothing that the client could
 * not watch by name.
 */
export const watchesText = (watches: Iterable<WatchedVersion>): string =>
  [...watches].map(({ flow, version }) => `${flow}@${version}`).join(' ');

/**
 * The watches of a text; none where it is anything else, such as the text of an `error` that came
 * last.
 */
export function parseWatchesText(text: unknown): WatchedVersion[] {
  if (typeof text !== 'string') return [];
  const parts = text.split(' ', MOST_WATCHES + 1);
  const watches = parts.flatMap(parseWatch);
  return parts.length > MOST_WATCHES || watches.length < parts.length ? [] : watches;
}

function parseWatch(text: string): [WatchedVersion] | [] {
  const { flow, version } = WATCH.exec(text)?.groups ?? {};
  return flow === undefined ? [] : [{ flow, version: Number(version) }];
}
