import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { call, expectDocumented, type Answer } from '@waymark/testing/services';
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

const written = async (answer: Answer) => {
  await expectDocumented(answer);
  expect([answer.status, answer.text]).toEqual([204, '']);
};
const counted = async (answer: Answer, count: number) => {
  await expectDocumented(answer);
  expect([answer.status, answer.body]).toEqual([200, { count }]);
};
const refused = async (answer: Answer, details: string) => {
  await expectDocumented(answer);
  const envelope = { code: 'invalid_request_error', details: expect.stringContaining(details) };
  expect([answer.status, answer.body]).toEqual([
    400,
    { ...envelope, requestId: answer.headers.get('x-request-id') },
  ]);
};

describe('POST /identify', () => {
  test('writes a user and answers 204 without a body (W4)', async () => {
    const answer = await fixture.post('/identify', {
      identifier: someone,
      properties: { plan: 'pro' },
    });
    await written(answer);
    expect(answer.headers.get('content-type')).toBeNull();
    expect(await fixture.properties(someone)).toEqual({ plan: 'pro' });
  });

  test('merges properties per top-level key (U1)', async () => {
    await written(
      await fixture.post('/identify', {
        identifier: someone,
        properties: { a: { x: 1 }, b: 1, c: [1] },
      }),
    );
    await written(
      await fixture.post('/identify', {
        identifier: someone,
        properties: { a: { y: 2 }, b: null },
      }),
    );
    expect(await fixture.properties(someone)).toEqual({ a: { y: 2 }, b: null, c: [1] });
  });

  test('keeps the first time and moves the last on every accepted identify (U1)', async () => {
    await written(await fixture.post('/identify', { identifier: someone, properties: {} }));
    const first = (await fixture.find(someone))!;
    await written(await fixture.post('/identify', { identifier: someone }));
    const second = (await fixture.find(someone))!;
    expect(second.created_at).toBe(first.created_at);
    expect(second.updated_at > first.updated_at).toBe(true);
  });

  test('takes missing properties as none, and nothing else instead of an object (U2)', async () => {
    await written(await fixture.post('/identify', { identifier: someone }));
    expect(await fixture.properties(someone)).toEqual({});
    for (const properties of [null, 'text', 5, true, []]) {
      await refused(
        await fixture.post('/identify', { identifier: someone, properties }),
        'properties has to be an object',
      );
    }
  });

  test('stores values as they were written: large numbers, exponents, duplicate keys, __proto__ (U2, W7)', async () => {
    const properties =
      '{"id":9007199254740993,"wide":1e400,"exact":1.10,"same":1,"same":[2],"__proto__":{"admin":true},"constructor":null}';
    await written(
      await fixture.post(
        '/identify',
        `{"properties":1,"identifier":"${someone}","properties":${properties}}`,
      ),
    );
    expect((await fixture.find(someone))!.properties).toBe(
      `{"id": 9007199254740993, "same": [2], "wide": 1${'0'.repeat(400)}, "exact": 1.10, "__proto__": {"admin": true}, "constructor": null}`,
    );
  });

  test('ignores body keys it does not know, __proto__ with identifiers too (W8, W7)', async () => {
    await written(
      await fixture.post(
        '/identify',
        `{"x":1,"__proto__":{"identifier":"nobody"},"identifier":"${someone}"}`,
      ),
    );
    expect(await fixture.properties(someone)).toEqual({});
    await refused(
      await fixture.post('/identify', '{"__proto__":{"identifier":"nobody"}}'),
      'identifier is missing',
    );
  });

  test('writes the groups and memberships with the user, and leaves other memberships alone (U3)', async () => {
    const [one, two] = [`${someone}-1`, `${someone}-2`];
    const groups = [{ identifier: one, properties: { size: 5 } }, { identifier: two }];
    await written(await fixture.post('/identify', { identifier: someone, properties: {}, groups }));
    await written(
      await fixture.post('/identify', {
        identifier: someone,
        groups: [{ identifier: one, properties: { tier: 1 } }],
      }),
    );
    await written(await fixture.post('/identify', { identifier: someone, groups: [] }));
    expect(await fixture.groupsOf(someone)).toEqual([one, two]);
    expect(await fixture.properties(one, 'groups')).toEqual({ size: 5, tier: 1 });
    expect(await fixture.properties(two, 'groups')).toEqual({});
  });

  test('refuses groups that are no list, and names the one that is wrong (U3)', async () => {
    for (const groups of [null, {}, 'x', 1]) {
      await refused(
        await fixture.post('/identify', { identifier: someone, groups }),
        'groups has to be a list',
      );
    }
    const groups = (bad: unknown) => ({
      identifier: someone,
      groups: [{ identifier: 'good' }, bad],
    });
    await refused(
      await fixture.post('/identify', groups('x')),
      'groups[1] has to be a JSON object',
    );
    await refused(await fixture.post('/identify', groups({})), 'groups[1].identifier is missing');
    await refused(
      await fixture.post('/identify', groups({ identifier: 'x', properties: null })),
      'groups[1].properties has to be',
    );
    expect(await fixture.find(someone)).toBeUndefined();
    expect(await fixture.find('good', 'groups')).toBeUndefined();
  });

  test('takes identifiers of 1 to 512 code points in any script (W7)', async () => {
    for (const identifier of [
      '😀'.repeat(512),
      'x'.repeat(512),
      'مرحبا بالعالم',
      ' ',
      `${someone}/?#%+&`,
      '__proto__',
    ]) {
      await written(
        await fixture.post('/identify', { identifier, properties: { seen: identifier } }),
      );
      expect(await fixture.properties(identifier)).toEqual({ seen: identifier });
    }
  });

  test.each([
    ['that is missing', undefined, 'identifier is missing'],
    ['null', null, 'identifier has to be a string'],
    ['7', 7, 'identifier has to be a string'],
    ['of a list', ['a'], 'identifier has to be a string'],
    ['of no character', '', 'identifier is empty'],
    ['of 513 characters', 'x'.repeat(513), 'identifier has 513 characters'],
    ['with a line break', 'a\nb', 'identifier has a control character'],
    ['with DEL', '\u007f', 'identifier has a control character'],
    ['with a C1 control', '\u0085', 'identifier has a control character'],
  ])('refuses an identifier %s (W7)', async (_, identifier, details) => {
    await refused(await fixture.post('/identify', { identifier, properties: {} }), details);
  });

  test('refuses properties that grow beyond 1 MiB with 413 and changes nothing (U1)', async () => {
    const large = (key: string) => ({
      identifier: someone,
      properties: { [key]: 'x'.repeat(600_000) },
      groups: [{ identifier: someone }],
    });
    await written(await fixture.post('/identify', large('a')));
    const before = [await fixture.find(someone), await fixture.find(someone, 'groups')];
    const answer = await fixture.post('/identify', large('b'));
    expect([answer.status, answer.body]).toMatchObject([413, { code: 'payload_too_large_error' }]);
    expect((answer.body as { details: string }).details).toContain(
      'take more than 1 MiB as the database writes them',
    );
    expect([await fixture.find(someone), await fixture.find(someone, 'groups')]).toEqual(before);
  });

  test('keeps all of a hundred concurrent merges into one user (R8)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        fixture.post('/identify', { identifier: someone, properties: { [`k${index}`]: index } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const expected = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`k${index}`, index]),
    );
    expect(await fixture.properties(someone)).toEqual(expected);
  });

  test('writes into the environment of the key and into no other (R9)', async () => {
    await written(await fixture.post('/identify', { identifier: someone, properties: { a: 1 } }));
    await written(
      await fixture.post(
        '/identify',
        { identifier: someone, properties: { b: 2 } },
        { key: fixture.otherKey },
      ),
    );
    expect(await fixture.properties(someone)).toEqual({ a: 1 });
    expect(await fixture.properties(someone, 'users', 'production')).toEqual({ b: 2 });
  });
});

describe('POST /identify/group', () => {
  test('writes a group and merges its properties (U1)', async () => {
    await written(
      await fixture.post('/identify/group', { identifier: someone, properties: { a: 1, b: 1 } }),
    );
    await written(
      await fixture.post('/identify/group', { identifier: someone, properties: { b: 2 } }),
    );
    expect(await fixture.properties(someone, 'groups')).toEqual({ a: 1, b: 2 });
    expect(await fixture.find(someone)).toBeUndefined();
  });

  test('refuses what identify refuses (U2, W7)', async () => {
    await refused(await fixture.post('/identify/group', {}), 'identifier is missing');
    await refused(
      await fixture.post('/identify/group', { identifier: someone, properties: [] }),
      'properties has to be an object',
    );
    await refused(await fixture.post('/identify/group', []), 'the body has to be a JSON object');
  });
});

describe('POST /identify/batch', () => {
  const users = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      identifier: `${someone}-${index}`,
      properties: { index },
    }));

  test('writes up to a hundred users with their groups and counts them (U4)', async () => {
    const batch = users(100).map((user) => ({
      ...user,
      groups: [{ identifier: someone, properties: { [user.identifier]: 1 } }],
    }));
    await counted(await fixture.post('/identify/batch', batch), 100);
    expect(await fixture.properties(`${someone}-99`)).toEqual({ index: 99 });
    expect(await fixture.groupsOf(`${someone}-0`)).toEqual([someone]);
    expect(Object.keys((await fixture.properties(someone, 'groups')) as object)).toHaveLength(100);
  });

  test('counts nothing for an empty list and refuses more than a hundred (U4)', async () => {
    await counted(await fixture.post('/identify/batch', []), 0);
    await refused(
      await fixture.post('/identify/batch', users(101)),
      'the body lists 101 users, at most 100 are allowed',
    );
    await refused(
      await fixture.post('/identify/batch', {}),
      'the body has to be a list of at most 100 users',
    );
    expect(await fixture.find(`${someone}-0`)).toBeUndefined();
  });

  test('applies repeated identifiers in order and counts each (U4)', async () => {
    const again = [{ a: 1, b: 1 }, { a: 2 }, { c: 3, b: null }].map((properties) => ({
      identifier: someone,
      properties,
    }));
    await counted(await fixture.post('/identify/batch', again), 3);
    expect(await fixture.properties(someone)).toEqual({ a: 2, b: null, c: 3 });
  });

  test('refuses all for one bad item and names its index (U4)', async () => {
    const before = await fixture.fingerprint();
    const batch = (bad: unknown) => [...users(3), bad, ...users(2)];
    await refused(
      await fixture.post('/identify/batch', batch(null)),
      '[3] has to be a JSON object',
    );
    await refused(
      await fixture.post('/identify/batch', batch({ identifier: '' })),
      '[3].identifier is empty',
    );
    await refused(
      await fixture.post('/identify/batch', batch({ identifier: 'x', properties: 1 })),
      '[3].properties has to be an object',
    );
    await refused(
      await fixture.post('/identify/batch', batch({ identifier: 'x', groups: [{}] })),
      '[3].groups[0].identifier is missing',
    );
    expect(await fixture.fingerprint()).toEqual(before);
  });

  test('refuses all when one user would grow too large, and names its index (U4, U1)', async () => {
    await written(
      await fixture.post('/identify', {
        identifier: someone,
        properties: { a: 'x'.repeat(600_000) },
      }),
    );
    const before = await fixture.fingerprint();
    const answer = await fixture.post('/identify/batch', [
      ...users(2),
      { identifier: someone, properties: { b: 'x'.repeat(600_000) } },
    ]);
    expect([answer.status, answer.body]).toMatchObject([
      413,
      { details: expect.stringMatching(/^\[2\]: the properties of the user/) },
    ]);
    expect(await fixture.fingerprint()).toEqual(before);
  });

  test('never deadlocks with batches that name the same users the other way round (R7)', async () => {
    const batch = users(50).map((user) => ({ ...user, groups: [{ identifier: user.identifier }] }));
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        [batch, batch.toReversed(), batch, batch.toReversed()].map((body) =>
          fixture.post('/identify/batch', body),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });
});

describe('POST /identify/segment', () => {
  const envelope = {
    anonymousId: 'a',
    context: { ip: '::1' },
    messageId: 'm',
    timestamp: '2020-01-01T00:00:00Z',
    version: 2,
  };

  test('takes identify events: traits are properties (U5)', async () => {
    const traits = '{"plan":"pro","exact":1.50}';
    const body = `{"type":"identify","userId":"${someone}","traits":${traits},"context":{}}`;
    await counted(await fixture.post('/identify/segment', body), 1);
    expect((await fixture.find(someone))!.properties).toBe('{"plan": "pro", "exact": 1.50}');
    await counted(
      await fixture.post('/identify/segment', { ...envelope, type: 'identify', userId: someone }),
      1,
    );
  });

  test('takes group events, counting the user and the membership where one is named (U5)', async () => {
    const event = { ...envelope, type: 'group', groupId: someone, traits: { size: 3 } };
    await counted(await fixture.post('/identify/segment', event), 1);
    await counted(await fixture.post('/identify/segment', { ...event, userId: null }), 1);
    expect(await fixture.find(someone)).toBeUndefined();
    await counted(await fixture.post('/identify/segment', { ...event, userId: someone }), 2);
    expect(await fixture.properties(someone)).toEqual({});
    expect(await fixture.properties(someone, 'groups')).toEqual({ size: 3 });
    expect(await fixture.groupsOf(someone)).toEqual([someone]);
  });

  test('leaves the properties of a user alone who comes with a group event (U5)', async () => {
    await written(
      await fixture.post('/identify', { identifier: someone, properties: { plan: 'pro' } }),
    );
    await counted(
      await fixture.post('/identify/segment', { type: 'group', groupId: someone, userId: someone }),
      2,
    );
    expect(await fixture.properties(someone)).toEqual({ plan: 'pro' });
  });

  test.each([
    [{ type: 'track', userId: 'x' }, 'event has to be a text of 1 to 128 characters'],
    [{ type: 'track', event: 'Did' }, 'userId is missing'],
    [{ userId: 'x' }, 'type has to be "identify", "group" or "track"'],
    [{ type: ['identify'], userId: 'x' }, 'type has to be "identify", "group" or "track"'],
    [{ type: 'identify' }, 'userId is missing'],
    [{ type: 'identify', userId: null }, 'userId has to be a string'],
    [{ type: 'identify', userId: 'x', traits: null }, 'traits has to be an object'],
    [{ type: 'group', userId: 'x' }, 'groupId is missing'],
    [{ type: 'group', groupId: 'x', userId: 5 }, 'userId has to be a string'],
    [{ type: 'group', groupId: 'x', userId: '' }, 'userId is empty'],
    [{ type: 'group', groupId: 'x', traits: 'x' }, 'traits has to be an object'],
  ])('refuses %j (U5)', async (body, details) => {
    await refused(await fixture.post('/identify/segment', body), details);
  });
});

describe('POST /track', () => {
  const events = async (): Promise<Record<string, number>> => {
    const rows: { name: string; count: number }[] = await fixture.dataSource.query(
      'SELECT name, count::int AS count FROM user_events JOIN users u USING (user_id) WHERE u.identifier = $1',
      [someone],
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };

  test('counts what a user did, an id once, from each route and in shared statements (Z2, U4)', async () => {
    const event = { userIdentifier: someone, event: 'Invited' };
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        written(await fixture.post('/track', { ...event, id: `id-${index % 5}` })),
      ),
    );
    const batch = [event, { ...event, id: 'id-0' }, { ...event, event: '🙂'.repeat(128) }];
    await counted(await fixture.post('/track/batch', batch), 3);
    await counted(await fixture.post('/track/batch', []), 0);
    const segment = {
      type: 'track',
      userId: someone,
      event: 'Paid',
      messageId: 'm',
      properties: {},
    };
    await counted(await fixture.post('/identify/segment', segment), 1);
    await counted(await fixture.post('/identify/segment', segment), 1);
    expect(await events()).toEqual({ Invited: 6, ['🙂'.repeat(128)]: 1, Paid: 1 });
    expect(await fixture.properties(someone)).toEqual({});
  });

  test.each([
    [{ event: 'Did' }, 'userIdentifier is missing'],
    [{ userIdentifier: 'x', event: '🙂'.repeat(129) }, 'event has to be a text of 1 to 128'],
    [{ userIdentifier: 'x', event: 5 }, 'event has to be a text of 1 to 128'],
    [{ userIdentifier: 'x', event: 'Did', id: null }, 'id has to be a text of 1 to 128'],
    [[], 'the body has to be a JSON object'],
  ])('refuses %j (Z2)', async (body, details) => {
    await refused(await fixture.post('/track', body), details);
  });

  test('counts nothing of a batch of which one item is refused (U4)', async () => {
    const event = { userIdentifier: someone, event: 'Did' };
    await refused(
      await fixture.post('/track/batch', [event, { event: 'Did' }]),
      '[1].userIdentifier',
    );
    const names = Array.from({ length: 100 }, (_, index) => ({ ...event, event: `${index}` }));
    for (const part of ['a', 'b'])
      await counted(
        await fixture.post(
          '/track/batch',
          names.map((one) => ({ ...one, event: part + one.event })),
        ),
        100,
      );
    const answer = await fixture.post('/track/batch', [{ ...event, event: 'a1' }, event]);
    await expectDocumented(answer);
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large_error' } });
    expect((await events())['a1']).toBe(1);
  });
});

describe('POST /identify/:identifier', () => {
  test('takes the body as the properties themselves (U1)', async () => {
    await written(
      await fixture.post(`/identify/${someone}`, '{"a":1.0,"identifier":"other","properties":{}}'),
    );
    await written(await fixture.post(`/identify/${someone}`, { b: 2 }));
    expect((await fixture.find(someone))!.properties).toBe(
      '{"a": 1.0, "b": 2, "identifier": "other", "properties": {}}',
    );
    await written(await fixture.post(`/identify/${someone}`));
  });

  test('decodes the identifier of the path (W7)', async () => {
    const identifier = `a/b c?d%41+é😀 ${someone}`;
    await written(await fixture.post(`/identify/${encodeURIComponent(identifier)}`, { a: 1 }));
    expect(await fixture.properties(identifier)).toEqual({ a: 1 });
    await refused(
      await fixture.post('/identify/%00'),
      'the identifier in the path has a control character',
    );
    await refused(
      await fixture.post(`/identify/${'x'.repeat(513)}`),
      'the identifier in the path has 513 characters',
    );
  });

  test('refuses anything but an object, and cannot name the other routes (U2)', async () => {
    await refused(
      await fixture.post(`/identify/${someone}`, []),
      'the body has to be a JSON object',
    );
    await refused(
      await fixture.post(`/identify/${someone}`, 'null'),
      'the body has to be a JSON object',
    );
    await refused(await fixture.post('/identify/group', { a: 1 }), 'identifier is missing');
    await refused(await fixture.post('/identify/gr%6fup', { a: 1 }), 'identifier is missing');
    await refused(await fixture.post('/identify/batch', { a: 1 }), 'the body has to be a list');
    await refused(await fixture.post('/identify/segment', { a: 1 }), 'type has to be');
  });
});

describe('the users key', () => {
  const routes = [
    '/identify',
    '/identify/group',
    '/identify/batch',
    '/identify/segment',
    '/identify/somebody',
  ];

  test.each(routes)(
    'POST %s needs one, before anything else is looked at (W1, W9)',
    async (path) => {
      for (const key of ['', 'users-unknown', 'blocks-unknown', 'x']) {
        const answer = await call(fixture.service, `POST ${path}`, { key, body: '{' });
        expect([answer.status, answer.body]).toMatchObject([401, { code: 'unauthorized_error' }]);
      }
    },
  );

  test.each(routes)('reads nothing back from %s (U6)', async (path) => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await call(fixture.service, `${method} ${path}`, { key: fixture.key });
      expect([answer.status, answer.headers.get('allow'), answer.body]).toMatchObject([
        405,
        expect.stringContaining('POST'),
        { code: 'not_found_error' },
      ]);
    }
  });
});
