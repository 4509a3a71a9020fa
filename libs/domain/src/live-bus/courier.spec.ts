import { describe, expect, test } from '@jest/globals';
import { unpackAnnouncements } from './announcement-text.js';
import { Courier } from './courier.js';

const change = (revision: number, flow = 'onboarding') => ({ userId: 'u', flow, version: 1, revision });

/** A way to send that can be shut, and fails once for each time it is told to. */
function open() {
  const way = { isReady: true, failures: 0, sent: [] as ReturnType<typeof unpackAnnouncements>[], troubles: 0 };
  let arrived: () => void = () => undefined;
  const next = () => new Promise<void>((resolve) => (arrived = resolve));
  const courier = new Courier(
    async (payloads) => {
      if (way.failures-- > 0) throw new Error('lost');
      way.sent.push(payloads.flatMap(unpackAnnouncements));
      arrived();
    },
    () => way.isReady,
    () => {
      way.troubles++;
      courier.wake();
    },
  );
  return { way, courier, next };
}

describe('a courier', () => {
  test('sends what comes together as one, and of one state the newest revision only', async () => {
    const { way, courier, next } = open();
    const arrived = next();
    courier.add(change(2));
    courier.add(change(1));
    courier.add(change(7, 'tips'));
    courier.add({ userId: 'u', flow: 'onboarding', version: 1, block: 'b' });
    await arrived;
    expect(way.sent).toEqual([[change(2), change(7, 'tips'), { userId: 'u', flow: 'onboarding', version: 1, block: 'b' }]]);
  });

  test('keeps what could not be sent, newer news of it included', async () => {
    const { way, courier, next } = open();
    way.failures = 1;
    const arrived = next();
    courier.add(change(1));
    await arrived;
    expect([way.troubles, way.sent]).toEqual([1, [[change(1)]]]);
  });

  test('waits until it is woken where there is no way, and sends the rest when closed', async () => {
    const { way, courier, next } = open();
    way.isReady = false;
    courier.add(change(1));
    way.isReady = true;
    const arrived = next();
    courier.wake();
    await arrived;
    courier.add(change(2));
    await courier.close();
    expect(way.sent).toEqual([[change(1)], [change(2)]]);
  });
});
