import type { Socket } from 'node:net';
import { type Attack, hold, unknownKey } from './attack.js';
import { frameOf, inParallel, requestText, type AttackTarget } from './raw-client.js';
import { card, defineFlow } from '../builders/index.js';

const HANDSHAKE = 'GET /v2/socket/?EIO=4&transport=websocket&endUserIdentifier=ada';
const WEBSOCKET = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': 13,
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/**
 * Opens a socket, sends what comes first, and after that answer the same frames again and again, as
 * fast as they are taken.
 */
function floodSocket(first: (target: AttackTarget) => Buffer, frame: Buffer, answer = ''): Attack {
  const frames = Buffer.concat(Array<Buffer>(2_000).fill(frame));
  return (target, signal) =>
    inParallel(8, signal, () =>
      hold(target, signal, (socket) => {
        const send = (): void =>
          void (!socket.destroyed && socket.write(frames, () => setImmediate(send)));
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

/**
 * Asks on an open socket to be shown a flow anew, whenever some of it has come: no faster than the
 * answers.
 */
const askAgain = (target: AttackTarget, ask: Buffer, socket: Socket): void => {
  let isLetIn = false;
  socket.once('data', () => socket.write(connect(target)));
  socket.on('data', (data: Buffer) => {
    isLetIn ||= data.includes('"ready"');
    if (isLetIn) socket.write(ask);
  });
  socket.write(requestText({ url: target.url }, HANDSHAKE, WEBSOCKET));
};

const connect = ({ key = '' }: AttackTarget, offset?: string): Buffer =>
  frameOf('text', `40/v2/client,${JSON.stringify({ 'x-api-key': key, offset })}`);

/** What some attacks ask for: as large as flows get. */
export const LARGE_FLOW = defineFlow({
  flow: 'large',
  blocks: Object.fromEntries(
    Array.from({ length: 1_000 }, (_, number) => [`large-${number}`, card()]),
  ),
});

/** As many as one socket may watch. */
export const MANY_FLOWS = Array.from({ length: 100 }, (_, number) =>
  defineFlow({ flow: `many-${number}`, blocks: { [`many-${number}`]: card() } }),
);

const MANY_WATCHES = MANY_FLOWS.map(({ flow }) => `${flow}@1`).join(' ');
const WATCH_LARGE = frameOf('text', '42/v2/client,["watch:flow","large",1]');
const nothing = (): Buffer => Buffer.alloc(0);

/** Attacks by sockets (R13). */
export const SOCKETS = {
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
      hold(target, signal, (socket) =>
        socket.resume().write(requestText({ url: target.url }, HANDSHAKE, WEBSOCKET)),
      ),
    ),

  /**
   * On open sockets: events that nobody knows, pings that want answers, and frames that never end.
   */
  'frame-flood': floodSocket(connect, frameOf('text', '42/v2/client,["x"]'), '"ready"'),

  'ping-flood': floodSocket(connect, frameOf('ping', ''), '"ready"'),

  'fragment-flood': floodSocket(() => frameOf('begun', '4'), frameOf('continued', '')),

  /** Wants to be let in, again and again on the same socket, by a key that does not exist. */
  'connect-flood': floodSocket(nothing, connect({ url: '', key: unknownKey })),

  /** Watches the same large flow again and again: each time all of it is read and sent. */
  'snapshot-flood': (target, signal) =>
    inParallel(20, signal, () =>
      hold(target, signal, (socket) => askAgain(target, WATCH_LARGE, socket)),
    ),

  /** Brings a hundred watches back on each socket, and leaves before any of them is shown. */
  'watch-flood': (target, signal) =>
    inParallel(1_200, signal, () =>
      hold(target, signal, (socket) => {
        socket.once('data', () => {
          socket.write(connect(target, MANY_WATCHES));
          socket.once('data', () => socket.destroy());
        });
        socket.write(requestText({ url: target.url }, HANDSHAKE, WEBSOCKET));
      }),
    ),
} satisfies Record<string, Attack>;
