import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@waymark/testing/postgres';
import { loadPropertyValues } from './load-property-values.js';

const own = useTestDatabase();

test('the values that a property has most often are known, members of lists too (T15)', async () => {
  await own.dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier, properties)
     SELECT gen_random_uuid(), (SELECT id FROM environments LIMIT 1), gen_random_uuid()::text, properties::jsonb
     FROM unnest($1::text[]) AS properties`,
    [
      [
        '{"plan": "pro", "roles": ["admin", "member"], "address": {"city": "Ulm"}}',
        '{"plan": "pro", "roles": ["member"], "address": "none"}',
        '{"plan": 3, "roles": []}',
        `{"plan": "${'x'.repeat(200)}"}`,
      ],
    ],
  );
  const values = (...path: string[]) => loadPropertyValues(own.dataSource.manager, 'user', path);
  expect(await values('plan')).toEqual(['pro', 3]);
  expect(await values('roles')).toEqual(['member', 'admin']);
  expect(await values('address', 'city')).toEqual(['Ulm']);
  expect(await values('nothing')).toEqual([]);
});
