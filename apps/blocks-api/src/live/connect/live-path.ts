import type { IncomingMessage } from 'node:http';

/** Where the socket connects, on the port of the API (L1). */
export const LIVE_PATH = '/v2/socket/';

/** Whether the request opens a socket. */
export const isHandshake = ({ url, headers }: IncomingMessage): boolean =>
  url?.startsWith(LIVE_PATH) === true && headers.upgrade?.toLowerCase() === 'websocket';
