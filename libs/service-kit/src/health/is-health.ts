import type { IncomingMessage } from 'node:http';

const PATHS = new Set(['/health', '/health/live', '/health/ready']);

/** Whether it asks for health: answered at any time and not counted, as a replica that gives no answer is restarted. */
export const isHealth = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  url.startsWith('/health') && (method === 'GET' || method === 'HEAD') && PATHS.has(url.split('?', 1)[0]!);
