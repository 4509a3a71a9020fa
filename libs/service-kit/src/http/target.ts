import type { IncomingMessage } from 'node:http';

/**
 * Targets whose path cannot be decoded; they are routed to nowhere and refused with 400 at the
 * front door (W9).
 */
const UNDECODABLE = new WeakSet<object>();

/** Whether the path of the request cannot be decoded. */
export const isUndecodable = (request: object): boolean => UNDECODABLE.has(request);

/**
 * The target as the router can read it: raw bytes beyond ASCII become %xx. A path that cannot be
 * decoded becomes `/` and is remembered, so that its refusal takes the way of every other answer.
 */
export function routableTarget(request: Pick<IncomingMessage, 'url'>): string {
  // The whole server, which `OPTIONS *` is about, is not a route.
  if (request.url === '*') return '/';
  const target = (request.url ?? '').replace(/[\x80-\xff]/g, percentEncode);
  if (isReadable(target)) return target;
  UNDECODABLE.add(request);
  return '/';
}

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

function isReadable(target: string): boolean {
  if (!target.startsWith('/')) return URL.canParse(target) && isReadable(new URL(target).pathname);
  if (!target.includes('%')) return true;
  try {
    decodeURIComponent(target.split(/[?#]/, 1)[0]!);
    return true;
  } catch {
    return false;
  }
}

const PATHS = new Set(['/health', '/health/live', '/health/ready']);

/**
 * Whether it requests health: answered at any time and not counted, as a replica that gives no
 * answer is restarted.
 */
export const isHealth = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  url.startsWith('/health') &&
  (method === 'GET' || method === 'HEAD') &&
  PATHS.has(url.split('?', 1)[0]!);
