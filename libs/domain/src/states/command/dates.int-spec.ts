import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { FlowDefinition } from '../../engine/index.js';

const PAST = '2020-01-01';
const FUTURE = '2999-01-01';
const START = { kind: 'start', force: true } as const;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identify('ada', {});
});
afterAll(() => fixture.close());

const define = (flow: string, dates: Partial<FlowDefinition> = {}): FlowDefinition => ({
  ...defineFlow({ flow, blocks: { [`${flow}-a`]: card() } }),
  ...dates,
  ...(Object.keys(dates).length > 0 && { format: 2 }),
});

describe('dates', () => {
  test.each([
    ['early', { from: FUTURE }, false],
    ['late', { until: PAST }, false],
    ['between', { from: PAST, until: FUTURE }, true],
  ])(
    'a flow that is %s starts by itself only between them, and by force at any time (Z8)',
    async (flow, dates, starts) => {
      await fixture.commit(define(flow, { target: { users: 'all', ...dates } }));
      expect((await fixture.read('ada', flow)).state.started).toBe(starts);
      expect((await fixture.run('ada', flow, 'latest', START)).state.started).toBe(true);
    },
  );

  test('after its end nothing starts, by force neither (Z8)', async () => {
    await fixture.commit(define('over', { end: PAST }));
    expect(await fixture.run('ada', 'over', 'latest', START)).toMatchObject({ tookEffect: false });
    expect((await fixture.read('ada', 'over')).revision).toBe(0);
  });

  test.each(['restart-all', 'carry-over'] as const)(
    'a running flow is stopped by the next read, in place of what %s would start, and reset to nothing (Z8, S28)',
    async (migration) => {
      const flow = `runs-${migration}`;
      await fixture.commit(define(flow));
      await fixture.read('ada', flow);
      await fixture.commit(define(flow, { end: PAST }), migration);
      const [read] = await fixture.runner.readAll([await fixture.catalogue.getFlow(flow, 2)], {
        environmentId: fixture.environmentId,
        user: 'ada',
      });
      expect(read).toMatchObject({ tookEffect: true, state: { started: true, stopped: true } });
      const events = await fixture.loadEvents('ada', flow, 2);
      expect(events.map(({ event }) => [event.format, event.cause.kind])).toEqual([
        [1, 'migrated'],
        [2, 'ended'],
      ]);
      const reset = await fixture.run('ada', flow, 'latest', { kind: 'reset', force: true });
      expect(reset.state).toMatchObject({ started: false, stopped: false });
    },
  );
});
