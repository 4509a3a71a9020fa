import type { Caller } from '@waymark/domain/environments';
import { Buckets } from './buckets.js';

/** Requests a second, on this replica. */
export interface Rates {
  /** Of one address, with a key that pages carry or without a key. */
  readonly perAddress: number;
  readonly perPublicKey: number;
  readonly perSecretKey: number;
}

/** This much of a body, or of a target, costs as much as a request without one. */
const BYTES_PER_REQUEST = 1_024;
/** So do this many pieces of a body that is sent crumb by crumb. */
export const PIECES_PER_REQUEST = 20;

/** So does this much of an answer: a flow of 1,000 blocks takes as long to write as ten of 20. */
const BYTES_ANSWERED_PER_REQUEST = 32_768;

/** A new connection takes as much work as some requests. */
const REQUESTS_PER_CONNECTION = 4;
/** One that has to be cut, as its body was refused and yet came on: what Node has read by then is read to its end. */
const REQUESTS_PER_CUT = 100;

/** On an open socket: frames that take as much work as a request, and bytes that take as much as a frame. */
const FRAMES_PER_REQUEST = 10;
const BYTES_PER_FRAME = 128;

/** What a request with a body and a target of that size counts. */
export const costOf = (bodyBytes: number, targetBytes = 0): number =>
  1 + Math.floor(bodyBytes / BYTES_PER_REQUEST) + Math.floor(targetBytes / BYTES_PER_REQUEST);

/**
 * How often an address and a key may ask (W2). A secret key is a backend's, which may send everything from one address; a
 * public one is in every page, so those who use it, or have no key at all, are told apart by their address.
 */
export class RateLimits {
  private readonly addresses: Buckets;
  private readonly connections: Buckets;
  private readonly frames: Buckets;
  private readonly publicKeys: Buckets;
  private readonly secretKeys: Buckets;

  constructor(rates: Rates, now?: () => number) {
    this.addresses = new Buckets(rates.perAddress, now);
    this.connections = new Buckets(rates.perAddress, now);
    this.frames = new Buckets(FRAMES_PER_REQUEST * rates.perAddress, now);
    this.publicKeys = new Buckets(rates.perPublicKey, now);
    this.secretKeys = new Buckets(rates.perSecretKey, now);
  }

  /** Counts a request; false for one too many. Without a caller it is a stranger's. */
  take(address: string, caller?: Caller, cost = 1): boolean {
    if (caller?.isSecret) return this.secretKeys.take(caller.keyId, cost);
    return this.addresses.take(address, cost) && (!caller || this.publicKeys.take(caller.keyId, cost));
  }

  /** Counts an answer, beside its request: whoever reads much may ask less. */
  chargeAnswer(bytes: number, address: string, caller?: Caller): void {
    const cost = Math.floor(bytes / BYTES_ANSWERED_PER_REQUEST);
    if (cost === 0) return;
    if (caller?.isSecret) return this.secretKeys.charge(caller.keyId, cost);
    this.addresses.charge(address, cost);
    if (caller) this.publicKeys.charge(caller.keyId, cost);
  }

  /** Counts a connection, by itself: whoever asks too often on an open one is told so. */
  takeConnection(address: string): boolean {
    return this.connections.take(address, REQUESTS_PER_CONNECTION);
  }

  /** Counts a connection that had to be cut, beside the connection itself. */
  chargeCut(address: string): void {
    this.connections.charge(address, REQUESTS_PER_CUT);
  }

  /** Counts what came in on an open socket, by itself: whoever asks too often over HTTP keeps their sockets. */
  takeFrames(address: string, frames: number): boolean {
    return this.frames.take(address, frames);
  }

  /** Counts bytes of frames that were read already, and leaves a debt: whatever is in them took its time. */
  chargeFrames(address: string, bytes: number): void {
    this.frames.charge(address, bytes / BYTES_PER_FRAME);
  }

  /** Whether any request from there would be one too many, unless it has a secret key. */
  isExhausted(address: string): boolean {
    return this.addresses.isEmpty(address);
  }
}
