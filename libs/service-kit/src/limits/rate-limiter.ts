import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller } from '@waymark/domain/access';
import type { FastifyRequest } from 'fastify';
import type { ClientAddresses } from './client-address.js';
import { AddressBudgets, Budgets } from './budgets.js';

/** Requests a second, on this replica. */
export interface Rates {
  /** Of one address or verified user, with a public key or without a key. */
  readonly perAddress: number;
  readonly perSecretKey: number;
}

interface RateLimiterParts {
  readonly rates: Rates;
  readonly addresses: ClientAddresses;
  /** Whether the text is a good secret key; its requests are not counted by address. */
  isSecret(key: string): boolean;
  /** Called for every refusal. */
  onLimited(): void;
  now?: () => number;
}

/**
 * This much of a body or of a target costs as much as a request, and so does this much of an
 * answer.
 */
const BYTES_PER_REQUEST = 1_024;
const BYTES_ANSWERED_PER_REQUEST = 32_768;
/** A new connection costs as much as some requests; one that was cut for what it sent, as many. */
const REQUESTS_PER_CONNECTION = 4;
const REQUESTS_PER_CUT = 100;
/**
 * On an open socket: frames that take as much work as a request, and bytes that take as much as a
 * frame.
 */
const FRAMES_PER_REQUEST = 10;
const BYTES_PER_FRAME = 128;

declare module 'fastify' {
  interface FastifyRequest {
    /** What it cost so far, in requests. */
    spent: number;
  }
}

/**
 * Rate limits by address, verified user and secret key; over the limit is 429 with `Retry-After`
 * (W2). A secret key belongs to a backend, which may send everything from one address. A public key
 * is in every page: it has no budget of its own, or one visitor could empty it for all the others.
 * A request costs one; what really arrived and was really answered costs more, never what was only
 * announced, and never more than a second of the budget.
 */
export class RateLimiter {
  private readonly requests: AddressBudgets;
  private readonly connections: AddressBudgets;
  private readonly frames: AddressBudgets;
  private readonly users: Budgets;
  private readonly secretKeys: Budgets;

  constructor(private readonly parts: RateLimiterParts) {
    const { rates, now } = parts;
    this.requests = new AddressBudgets(rates.perAddress, now);
    this.connections = new AddressBudgets(rates.perAddress, now);
    this.frames = new AddressBudgets(FRAMES_PER_REQUEST * rates.perAddress, now);
    this.users = new Budgets(rates.perAddress, now);
    this.secretKeys = new Budgets(rates.perSecretKey, now);
  }

  /**
   * Counts work for a client; false where its budget is empty. Without a caller it is a stranger's.
   */
  take(address: string, caller?: Caller, cost = 1): boolean {
    if (caller?.isSecret) return this.noted(this.secretKeys.take(caller.keyId, cost));
    const user = userOf(caller);
    const isAllowed =
      !(user !== undefined && this.users.isEmpty(user)) && this.requests.take(address, cost);
    if (isAllowed && user !== undefined) this.users.charge(user, cost);
    return this.noted(isAllowed);
  }

  /** Counts an answer of so many bytes that was not one to an HTTP request. */
  chargeAnswer(bytes: number, address: string, caller?: Caller): void {
    const cost = Math.floor(bytes / BYTES_ANSWERED_PER_REQUEST);
    if (cost > 0) this.charge(cost, address, caller);
  }

  /**
   * Counts an HTTP request by its head, once it is known whether there is a caller; false for one
   * too many.
   */
  takeRequest(request: FastifyRequest): boolean {
    return this.takeWork(request, 1 + unitsOf(request.raw.url?.length ?? 0));
  }

  /**
   * Counts a piece of its body that has arrived after so many bytes; false where that is too much.
   */
  takeBytes(request: FastifyRequest, before: number, bytes: number): boolean {
    const cost = unitsOf(before + bytes) - unitsOf(before);
    return cost === 0 || this.takeWork(request, cost);
  }

  /** Counts the answer to it. */
  chargeRequest(request: FastifyRequest, bytes: number): void {
    const cost = this.boundedCost(request, Math.floor(bytes / BYTES_ANSWERED_PER_REQUEST));
    if (cost > 0) this.charge(cost, this.addressOf(request.raw), request.caller ?? undefined);
  }

  /** Whether a request comes from an address whose budget is empty, without a secret key. */
  isLimited(request: IncomingMessage): boolean {
    if (!this.requests.isEmpty(this.addressOf(request))) return false;
    const key = request.headers['x-api-key'];
    return !this.noted(typeof key === 'string' && this.parts.isSecret(key));
  }

  /**
   * Counts a new connection, which has a budget of its own; false for one too many, by rate or as
   * `hasRoom` says.
   */
  takeConnection(address: string, hasRoom = true): boolean {
    return this.noted(hasRoom && this.connections.take(address, REQUESTS_PER_CONNECTION));
  }

  /**
   * Counts a connection that was cut for what it sent; a proxy is not to blame for what it passes
   * on.
   */
  chargeCut(socket: Socket): void {
    const address = this.parts.addresses.ofPeer(socket);
    if (address !== undefined) this.connections.charge(address, REQUESTS_PER_CUT);
  }

  /** Counts frames on open sockets, which have a budget of their own. */
  takeFrames(address: string, frames: number): boolean {
    return this.noted(this.frames.take(address, frames));
  }

  /** Counts bytes of frames that were read already. */
  chargeFrames(address: string, bytes: number): void {
    this.frames.charge(address, bytes / BYTES_PER_FRAME);
  }

  private takeWork(request: FastifyRequest, cost: number): boolean {
    const bounded = this.boundedCost(request, cost);
    const caller = request.caller ?? undefined;
    return bounded === 0 || this.take(this.addressOf(request.raw), caller, bounded);
  }

  /** What is left for it to cost: all of a request together is at most a second of the budget. */
  private boundedCost(request: FastifyRequest, cost: number): number {
    const { perAddress, perSecretKey } = this.parts.rates;
    const most = request.caller?.isSecret ? perSecretKey : perAddress;
    const bounded = Math.max(0, Math.min(cost, most - request.spent));
    request.spent += bounded;
    return bounded;
  }

  private charge(cost: number, address: string, caller?: Caller): void {
    if (caller?.isSecret) return this.secretKeys.charge(caller.keyId, cost);
    const user = userOf(caller);
    this.requests.charge(address, cost);
    if (user !== undefined) this.users.charge(user, cost);
  }

  private addressOf(request: IncomingMessage): string {
    return this.parts.addresses.of(request);
  }

  private noted(isAllowed: boolean): boolean {
    if (!isAllowed) this.parts.onLimited();
    return isAllowed;
  }
}

const unitsOf = (bytes: number): number => Math.floor(bytes / BYTES_PER_REQUEST);

/** A user whose token was verified, in one environment. */
const userOf = (caller: Caller | undefined): string | undefined =>
  caller?.token && `${caller.environmentId} ${caller.token.user}`;
