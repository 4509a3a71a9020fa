import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Watch } from '../push/watched-state.js';
import type { Watcher } from '../push/watcher.js';
import { SnapshotQueue } from './snapshot-queue.js';

let queue: SnapshotQueue;
beforeEach(() => {
  queue = new SnapshotQueue();
});

const socket = (address: string) => ({ viewer: { address } }) as unknown as Watcher;
const watch = (watcher: Watcher) => ({ watcher }) as Watch;
const add = (watcher: Watcher, count: number) =>
  Array.from({ length: count }, () => queue.add(watch(watcher))).filter(Boolean).length;
const takeAll = () => {
  const taken: Watcher[] = [];
  for (let one = queue.take(); one; one = queue.take()) taken.push(one.watcher);
  return taken;
};

describe('snapshots that wait', () => {
  test('are taken in turn by address, and in turn by socket within an address (R13)', () => {
    const [greedy, other, honest] = [socket('a'), socket('a'), socket('b')];
    add(greedy, 3);
    add(other, 2);
    add(honest, 1);
    expect(takeAll()).toEqual([greedy, honest, other, greedy, other, greedy]);
    add(honest, 2);
    expect(takeAll()).toEqual([honest, honest]);
  });

  test('are bounded for each address, and there is room again once some were taken (R13)', () => {
    const sockets = Array.from({ length: 200 }, () => socket('a'));
    expect(sockets.reduce((sum, one) => sum + add(one, 100), 0)).toBe(10_000);
    expect(add(socket('b'), 1)).toBe(1);
    queue.take();
    expect(add(sockets[0]!, 2)).toBe(1);
  });

  test('are dropped with their socket, and leave room (R13)', () => {
    const [leaving, staying] = [socket('a'), socket('a')];
    add(leaving, 10_000);
    queue.drop(leaving);
    expect(add(staying, 10_000)).toBe(10_000);
    expect(new Set(takeAll())).toEqual(new Set([staying]));
  });

  test('of a hundred thousand sockets that left cost as many steps, once (R13)', () => {
    const sockets = Array.from({ length: 100_000 }, (_, number) => socket(`a${number % 100}`));
    for (const one of sockets) add(one, 1);
    for (const one of sockets) queue.drop(one);
    add(socket('b'), 1);
    expect(takeAll()).toHaveLength(1);
    expect(queue.take()).toBeUndefined();
  });
});
