import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors/refusal.js';
import type { ClientAddresses } from '../headers/client-address.js';
import { OpenCounts } from '../overload/open-counts.js';
import { costOf, PIECES_PER_REQUEST, type RateLimits } from '../overload/rate-limits.js';

/** What whoever asks too often is told. */
export const TOO_MANY = new Refusal(
  429,
  'this address or key sends more requests than it may, please send fewer and try again in a second',
);

interface TollParts {
  limits: RateLimits;
  addresses: ClientAddresses;
  /** Connections that one address may have open. */
  connectionsPerAddress: number;
  /** Whether the key is secret; then requests are not counted by address. */
  isSecret(key: string): boolean;
  /** One more was refused. */
  countLimited(): void;
}

/** Counts what requests cost whoever sends them; one too many is answered with 429 and `Retry-After` (W2). */
export class Toll {
  private readonly open = new OpenCounts();

  constructor(private readonly parts: TollParts) {}

  /** The refusal of one request too many; called when it is known whether there is a caller. */
  refusalOf({ raw, caller }: FastifyRequest): Refusal | undefined {
    const { limits, addresses } = this.parts;
    return this.noted(limits.take(addresses.of(raw), caller ?? undefined, costOf(lengthOf(raw), raw.url?.length)))
      ? undefined
      : TOO_MANY;
  }

  /** Of the length of a body, where nobody knew it before it was there. */
  refusalOfBody(request: FastifyRequest, bytes: number): Refusal | undefined {
    const isKnown = request.raw.headers['content-length'] !== undefined;
    return isKnown ? undefined : this.refusalOfMore(request, costOf(bytes) - 1);
  }

  /** Of one more piece of a body, `pieces` with those before it. */
  refusalOfPiece(request: FastifyRequest, pieces: number): Refusal | undefined {
    return pieces % PIECES_PER_REQUEST === 0 ? this.refusalOfMore(request, 1) : undefined;
  }

  /** Of an answer, once it is known how large it is. */
  chargeAnswer({ raw, caller }: FastifyRequest, bytes: number): void {
    const { limits, addresses } = this.parts;
    limits.chargeAnswer(bytes, addresses.of(raw), caller ?? undefined);
  }

  /** Whether a request comes from where too many come from already, without a secret key. */
  isFlood(request: IncomingMessage): boolean {
    const { limits, addresses } = this.parts;
    return !this.noted(!limits.isExhausted(addresses.of(request)) || this.hasSecretKey(request));
  }

  /** Counts a connection, and for as long as it is open; a proxy may open as many as it likes. */
  mayConnect(socket: Socket): boolean {
    const { limits, addresses, connectionsPerAddress } = this.parts;
    const address = addresses.ofPeer(socket);
    if (address === undefined) return true;
    if (!this.noted(this.open.of(address) < connectionsPerAddress && limits.takeConnection(address))) return false;
    this.open.add(address);
    socket.once('close', () => this.open.remove(address));
    return true;
  }

  /** Of a connection that was cut in the middle of a body; what a proxy sends on is not its own doing. */
  chargeCut(socket: Socket): void {
    const address = this.parts.addresses.ofPeer(socket);
    if (address !== undefined) this.parts.limits.chargeCut(address);
  }

  /** Counts a request that was sent ahead, before it is read. */
  mayAsk(request: IncomingMessage): boolean {
    const { limits, addresses } = this.parts;
    return this.hasSecretKey(request) || this.noted(limits.take(addresses.of(request)));
  }

  private refusalOfMore({ raw, caller }: FastifyRequest, cost: number): Refusal | undefined {
    const { limits, addresses } = this.parts;
    return cost === 0 || this.noted(limits.take(addresses.of(raw), caller ?? undefined, cost)) ? undefined : TOO_MANY;
  }

  private hasSecretKey({ headers }: IncomingMessage): boolean {
    const key = headers['x-api-key'];
    return typeof key === 'string' && this.parts.isSecret(key);
  }

  private noted(isAllowed: boolean): boolean {
    if (!isAllowed) this.parts.countLimited();
    return isAllowed;
  }
}

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);
