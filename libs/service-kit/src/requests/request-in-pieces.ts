import { IncomingMessage } from 'node:http';
import { MOST_HEADERS } from '../errors/index.js';
import { dropBody } from '../overload/index.js';

/** Each piece of a chunked body is work by itself. Those who stream bodies send some KiB in each. */
export const MOST_PIECES = 5_000;
/** A piece that nobody reads, as the key is still looked up or another request comes first, takes 300 bytes besides. */
const MOST_UNREAD_PIECES = 500;

const CRUMBLED = 'crumbled';

/** A request whose body is dropped when it comes in too many pieces; it has to be answered all the same. */
export class RequestInPieces extends IncomingMessage {
  isCrumbled = false;
  private pieces = 0;
  private unread = 0;

  /** Node's parser brings the body here, and null at its end. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null) return this.end();
    if (!this.isOneTooMany()) return super.push(piece, encoding);
    dropBody(this);
    this.isCrumbled = true;
    this.emit(CRUMBLED);
    return false;
  }

  /** Nobody reads what comes behind a body; so many lines of it take as long as twenty requests. */
  private end(): boolean {
    const isLast = super.push(null);
    if (this.rawTrailers.length > 2 * MOST_HEADERS) dropBody(this);
    return isLast;
  }

  private isOneTooMany(): boolean {
    this.pieces++;
    this.unread = this.readableLength === 0 ? 0 : this.unread + 1;
    return this.pieces > MOST_PIECES || this.unread > MOST_UNREAD_PIECES;
  }
}

/** Calls back, now or later, once the body was dropped for its pieces. */
export function onceCrumbled(request: IncomingMessage, refuse: () => void): void {
  if (request instanceof RequestInPieces && request.isCrumbled) refuse();
  else request.once(CRUMBLED, refuse);
}
