import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bootstrap } from '@waymark/service-kit/bootstrap';
import { describeKeyGuard } from '@waymark/testing/services';
import { USERS_API } from '../src/service.js';
import { IdentifyStage } from './identify-stage.js';

describeKeyGuard('the users API', {
  start: (settings) => bootstrap(USERS_API, settings),
  kind: 'users',
  sample: 'POST /identify',
});

let stage: IdentifyStage;
beforeAll(async () => {
  stage = await IdentifyStage.open();
});
afterAll(() => stage.close());

test('a key writes into its own environment only (R9)', async () => {
  await stage.post('/identify', { identifier: 'anna', properties: {} }, { key: stage.otherKey });
  expect(await stage.find('anna', 'users', 'production')).toMatchObject({ properties: '{}' });
  expect(await stage.find('anna', 'users', 'development')).toBeUndefined();
});
