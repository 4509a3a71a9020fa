import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';

/** Whether the address is that of a trusted proxy, which names the client. */
type IsTrustedProxy = (address: string, hop: number) => boolean;

/**
 * Reads addresses, ranges and the names `loopback`, `linklocal` and `uniquelocal`; throws on
 * anything else.
 */
export const trustIn = (proxies: readonly string[]): IsTrustedProxy =>
  proxies.length > 0 ? proxyAddress.compile([...proxies]) : () => false;

/**
 * Proxies add to the end; what a client made up before it is not worth the time to read 16 KiB of
 * it (R13).
 */
const MOST_FORWARDED = 512;

const ADDRESS = Symbol('address');

declare module 'node:http' {
  interface IncomingMessage {
    [ADDRESS]?: string;
  }
}

type Peer = Pick<Socket, 'remoteAddress'>;
type ClientRequest = Pick<IncomingMessage, 'headers' | 'socket' | typeof ADDRESS>;

/**
 * The address that a request comes from: the other end of the connection or, where that is a
 * trusted proxy, whom it names in `x-forwarded-for`. Of IPv6 the first 64 bits, which is what one
 * household or machine is given.
 */
export class ClientAddresses {
  constructor(private readonly trusts: IsTrustedProxy) {}

  /** The other end of a connection; undefined for a proxy, which speaks for many. */
  ofPeer({ remoteAddress = '' }: Peer): string | undefined {
    return this.trusts(remoteAddress, 0) ? undefined : networkOf(remoteAddress);
  }

  /**
   * Read once for each request: a client may name a hundred addresses that all have to be looked at
   * (R13).
   */
  of(request: ClientRequest): string {
    return (request[ADDRESS] ??= this.read(request));
  }

  private read(request: ClientRequest): string {
    const peer = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'];
    if (typeof forwarded !== 'string' || !this.trusts(peer, 0)) return networkOf(peer);
    const named = proxyAddress(requestOf(request.socket, lastOf(forwarded)), this.trusts);
    return networkOf(isIP(named) === 0 ? peer : named);
  }
}

const requestOf = (socket: Socket, forwarded: string) =>
  ({ socket, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

/** The last addresses of a list, as many as are read. */
const lastOf = (list: string): string =>
  list.length > MOST_FORWARDED
    ? list.slice(list.indexOf(',', list.length - MOST_FORWARDED) + 1)
    : list;

function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (address.startsWith('::ffff:') && address.includes('.'))
    return address.slice('::ffff:'.length);
  const [head = '', tail] = address.split('%', 1)[0]!.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  if (tail !== undefined) while (groups.length + after.length < 8) groups.push('0');
  const first = [...groups, ...after].slice(0, 4);
  return `${first.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
