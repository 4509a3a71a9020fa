import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bootstrap } from '@waymark/service-kit/bootstrap';
import { describeKeyGuard } from '@waymark/testing/services';
import { USERS_API } from '../src/service.js';
import { IdentifyFixture } from './identify-fixture.js';

describeKeyGuard('the users API', {
  start: (settings) => bootstrap(USERS_API, settings),
  kind: 'users',
  sample: 'POST /identify',
});

let fixture: IdentifyFixture;
beforeAll(async () => {
  fixture = await IdentifyFixture.open();
});
afterAll(() => fixture.close());

test('a key writes into its own environment only (R9)', async () => {
  await fixture.post(
    '/identify',
    { identifier: 'anna', properties: {} },
    { key: fixture.otherKey },
  );
  expect(await fixture.find('anna', 'users', 'production')).toMatchObject({ properties: '{}' });
  expect(await fixture.find('anna', 'users', 'development')).toBeUndefined();
});
