import type { IncomingMessage } from 'node:http';

/**
 * Pieces of a body at most, since each is work by itself; clients that stream bodies send some KiB
 * in each.
 */
export const MOST_PIECES = 5_000;
/** Smaller pieces are joined with the ones that follow. */
const JOINED_BYTES = 4_096;

const TOO_MANY = Symbol('too many pieces');

declare module 'node:http' {
  interface IncomingMessage {
    [TOO_MANY]?: true;
  }
}

/** Whether the body was cut short because it came in too many pieces. */
export const cameInTooManyPieces = (request: IncomingMessage): boolean =>
  request[TOO_MANY] === true;

/**
 * Joins the small pieces of a chunked body before the stream keeps them: Node makes a buffer of
 * some 400 bytes for each, and reads 64 KiB ahead, so a body sent byte by byte would hold 11 MB
 * while it waits. Call it before the first piece arrives.
 */
export function joinPieces(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const push = request.push.bind(request);
  let joined = Buffer.alloc(0);
  let filled = 0;
  let pieces = 0;
  const flush = (): boolean => {
    const whole = joined.subarray(0, filled);
    [joined, filled] = [Buffer.alloc(0), 0];
    return whole.length === 0 || push(whole);
  };
  const join = (piece: Buffer): boolean => {
    const isFull = filled + piece.length > JOINED_BYTES;
    const hasRoom = !isFull || flush();
    if (piece.length >= JOINED_BYTES) return push(piece);
    if (filled === 0) joined = Buffer.allocUnsafe(JOINED_BYTES);
    filled += piece.copy(joined, filled);
    return hasRoom;
  };
  request.push = (piece: Buffer | null): boolean => {
    if (request[TOO_MANY]) return true;
    if (piece !== null && ++pieces <= MOST_PIECES) return join(piece);
    if (piece !== null) request[TOO_MANY] = true;
    flush();
    return push(null);
  };
}
