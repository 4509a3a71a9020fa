import { describe, expect, test } from '@jest/globals';
import { unpackAnnouncements } from './announcement-text.js';
import { AnnouncementBatcher } from './announcement-batcher.js';

const change = (revision: number, flow = 'onboarding') => ({
  userId: 'u',
  flow,
  version: 1,
  revision,
});

/** A transport that can be closed, and fails as often as configured. */
function open() {
  const way = {
    isReady: true,
    failures: 0,
    sent: [] as ReturnType<typeof unpackAnnouncements>[],
    troubles: 0,
  };
  let arrived: () => void = () => undefined;
  const next = () => new Promise<void>((resolve) => (arrived = resolve));
  const batcher = new AnnouncementBatcher(
    async (payloads) => {
      if (way.failures-- > 0) throw new Error('lost');
      way.sent.push(payloads.flatMap(unpackAnnouncements));
      arrived();
    },
    () => way.isReady,
    () => {
      way.troubles++;
      batcher.wake();
    },
  );
  return { way, batcher, next };
}

describe('a batcher', () => {
  test('sends what comes together as one, and of one state the newest revision only', async () => {
    const { way, batcher, next } = open();
    const arrived = next();
    batcher.add(change(2));
    batcher.add(change(1));
    batcher.add(change(7, 'tips'));
    batcher.add({ userId: 'u', flow: 'onboarding', version: 1, block: 'b' });
    await arrived;
    expect(way.sent).toEqual([
      [change(2), change(7, 'tips'), { userId: 'u', flow: 'onboarding', version: 1, block: 'b' }],
    ]);
  });

  test('keeps what could not be sent, newer news of it included', async () => {
    const { way, batcher, next } = open();
    way.failures = 1;
    const arrived = next();
    batcher.add(change(1));
    await arrived;
    expect([way.troubles, way.sent]).toEqual([1, [[change(1)]]]);
  });

  test('waits until it is woken where there is no way, and sends the rest when closed', async () => {
    const { way, batcher, next } = open();
    way.isReady = false;
    batcher.add(change(1));
    way.isReady = true;
    const arrived = next();
    batcher.wake();
    await arrived;
    batcher.add(change(2));
    await batcher.close();
    expect(way.sent).toEqual([[change(1)], [change(2)]]);
  });
});
