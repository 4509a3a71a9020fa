import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as browser from '@dopt/users-javascript-browser-client';
import * as node from '@dopt/users-javascript-client';
import { randomUUID } from 'node:crypto';
import { IdentifyFixture } from './identify-fixture.js';

let fixture: IdentifyFixture;
let someone: string;

beforeAll(async () => {
  fixture = await IdentifyFixture.open();
});
afterAll(() => fixture.close());
beforeEach(() => {
  someone = randomUUID();
});

describe.each([
  { name: '@dopt/users-javascript-client', client: node },
  { name: '@dopt/users-javascript-browser-client', client: browser },
])('$name', ({ client: { DoptApi, DoptApiClient, DoptApiError } }) => {
  const open = (apiKey: string) => new DoptApiClient({ environment: fixture.url, apiKey });

  test('identifies a user with groups (U1, U3, W4)', async () => {
    const { users } = open(fixture.key);
    const properties = { plan: 'pro', seats: 3, nested: { list: [1, null] } };
    const groups = [{ identifier: `${someone}-team`, properties: { size: 5 } }];
    expect(
      await users.identifyUser({ identifier: someone, properties, groups } as never),
    ).toBeUndefined();
    expect(await fixture.properties(someone)).toEqual(properties);
    expect(await fixture.groupsOf(someone)).toEqual([`${someone}-team`]);
  });

  test('identifies a group (U1, W4)', async () => {
    const { groups } = open(fixture.key);
    expect(
      await groups.identifyGroup({ identifier: someone, properties: { tier: 'gold' } }),
    ).toBeUndefined();
    expect(await fixture.properties(someone, 'groups')).toEqual({ tier: 'gold' });
  });

  test('identifies a batch and is told the count (U4)', async () => {
    const batch = [1, 2, 3].map((number) => ({
      identifier: `${someone}-${number}`,
      properties: { number },
    }));
    expect(await open(fixture.key).users.identifyUsers(batch)).toEqual({ count: 3 });
    expect(await fixture.properties(`${someone}-3`)).toEqual({ number: 3 });
  });

  test('throws its errors of 400 and 401 with the envelope (W2)', async () => {
    const envelope = { details: expect.any(String), requestId: expect.any(String) };
    const bad = open(fixture.key).users.identifyUser({ identifier: '', properties: {} });
    await expect(bad).rejects.toBeInstanceOf(DoptApi.BadRequestError);
    await expect(bad).rejects.toMatchObject({
      statusCode: 400,
      body: { code: 'invalid_request_error', ...envelope },
    });
    const unknown = open('users-unknown').groups.identifyGroup({
      identifier: someone,
      properties: {},
    });
    await expect(unknown).rejects.toBeInstanceOf(DoptApi.UnauthorizedError);
    await expect(unknown).rejects.toMatchObject({
      statusCode: 401,
      body: { code: 'unauthorized_error', ...envelope },
    });
  });

  test('throws its general error for bodies that are too large (W7)', async () => {
    const large = open(fixture.key).users.identifyUser({
      identifier: someone,
      properties: { text: 'x'.repeat(1_100_000) },
    });
    await expect(large).rejects.toBeInstanceOf(DoptApiError);
    await expect(large).rejects.toMatchObject({
      statusCode: 413,
      body: { code: 'payload_too_large_error' },
    });
  });
});
