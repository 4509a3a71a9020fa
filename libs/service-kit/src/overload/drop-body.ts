import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What Node reads a connection with; which of its callbacks is that of a body stands at its class. */
interface Parser {
  [callback: number]: unknown;
  readonly constructor: { readonly kOnBody?: number };
}

const DROPPED = Symbol('dropped');

type Connection = Socket & { parser?: Parser | null; [DROPPED]?: true };

/** Whether a body on that connection was dropped: what follows on it cannot be read as it was meant. */
export const isDropped = (socket: Socket): boolean => (socket as Connection)[DROPPED] === true;

/**
 * Reads nothing more of a body, nor of its connection, which has to be cut. Node has read up to 64 KiB already, perhaps ten
 * thousand pieces, and hands over one after the other whatever it is told: without its callback it leaps over them. Where
 * a later Node has none of that name, each of them is only thrown away.
 */
export function dropBody(request: IncomingMessage): void {
  const socket = request.socket as Connection;
  request.push = () => false;
  // It would read on.
  request._read = () => undefined;
  socket.pause();
  if (isDropped(socket)) return;
  socket[DROPPED] = true;
  const { parser } = socket;
  const callback = parser?.constructor.kOnBody;
  if (!parser || callback === undefined) return;
  const take = parser[callback];
  parser[callback] = undefined;
  // Node uses its parsers again for other connections.
  socket.prependOnceListener('close', () => (parser[callback] = take));
}
