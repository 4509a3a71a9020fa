import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { LiveConnections } from './live-connections.js';

const [OPEN, CLOSED] = [1, 3];

/** A connection whose client agrees that it is closed, or never answers. */
function connection(agrees = true) {
  const socket = {
    readyState: OPEN,
    isTerminated: false,
    terminate: () => void (socket.isTerminated = true),
  };
  const emitter = new EventEmitter();
  return Object.assign(emitter, {
    transport: { socket },
    isClosed: false,
    close() {
      this.isClosed = true;
      if (agrees) socket.readyState = CLOSED;
      emitter.emit('close');
    },
  });
}

test('connections are counted by address until they close', () => {
  const connections = new LiveConnections();
  const [one, two] = [connection(), connection()];
  for (const each of [one, two]) connections.add(each, '10.0.0.1');
  connections.add(connection(), '10.0.0.2');
  expect([connections.size, connections.countOf('10.0.0.1')]).toEqual([3, 2]);
  one.close();
  two.close();
  expect([connections.size, connections.countOf('10.0.0.1')]).toEqual([1, 0]);
});

test('closing all closes every one, and cuts off who does not answer (L7)', async () => {
  const connections = new LiveConnections();
  const all = [connection(), connection(false), connection()];
  for (const each of all) connections.add(each, 'a');
  await connections.closeAll(10);
  expect(all.map(({ isClosed, transport: { socket } }) => [isClosed, socket.isTerminated])).toEqual(
    [
      [true, false],
      [true, true],
      [true, false],
    ],
  );
  expect(connections.size).toBe(0);
});
