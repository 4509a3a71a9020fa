import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { userId } from '../users/index.js';
import { addEndpoint, listGivenUp } from './index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

test('what was given up is one list, of flows and of endpoints, newest first (S19, E8)', async () => {
  await fixture.commit(defineFlow({ flow: 'any', blocks: { only: card() } }));
  await fixture.identify('ann');
  const ann = userId(fixture.environmentId, 'ann');
  const by = { by: 'test' };
  const crm = { name: 'crm', url: 'https://crm.test/' };
  const endpoint = await addEndpoint(fixture.dataSource, fixture.environmentId, crm, by);
  const hook = { kind: 'webhook', url: 'https://acme.test/hook', headers: [] };
  const trigger = { kind: 'flow-trigger', flow: 'tips', intent: 'start', version: 'latest' };
  const event = { id: endpoint.id, user: 'ann', flow: 'any', version: 1, type: 'flow.started' };
  await fixture.dataSource.query(
    `INSERT INTO effects (user_id, flow, version, revision, position, effect, failed_at, last_error) VALUES
       ($1, 'any', 1, 1, 0, $2, now() - interval '3 min', 'answered 500'),
       ($1, 'any', 1, 1, 1, $3, now() - interval '1 min', 'there is no flow "tips"'),
       ($1, 'any', 1, 2, 0, $2, NULL, 'answered 500')`,
    [ann, hook, trigger],
  );
  await fixture.dataSource.query(
    `INSERT INTO endpoint_failures (endpoint_id, event_id, user_id, event, error, failed_at)
     VALUES ($1, $1, $2, $3, 'answered 400', now() - interval '2 min')`,
    [endpoint.id, ann, event],
  );
  const list = (limit?: number) =>
    listGivenUp(fixture.dataSource.manager, fixture.environmentId, limit ? { limit } : {});
  const all = await list();
  expect(all).toMatchObject([
    { kind: 'flow-trigger', to: 'start tips@latest', error: 'there is no flow "tips"' },
    { kind: 'event', to: 'crm', id: endpoint.id, error: 'answered 400' },
    { kind: 'webhook', to: 'https://acme.test/hook', error: 'answered 500' },
  ]);
  for (const each of all)
    expect(each).toMatchObject({
      user: 'ann',
      flow: 'any',
      version: 1,
      failedAt: expect.any(Date),
    });
  expect(await list(2)).toEqual(all.slice(0, 2));
});
