import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { getMetadataArgsStorage } from 'typeorm';
import { Identified, User } from '../users/user.js';
import { ENTITIES } from './data-source.js';
import { MIGRATIONS } from './migrations/index.js';

const domain = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const sources = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!spec)\.ts$/.test(file),
);

test('every migration is listed, in the order of its time', () => {
  const files = readdirSync(path.join(domain, 'schema/migrations')).filter((file) =>
    /^\d/.test(file),
  );
  const times = files.map((file) => Number.parseInt(file)).sort((one, other) => one - other);
  expect(MIGRATIONS.map(({ name }) => Number(/\d+$/.exec(name)))).toEqual(times);
});

test('every entity is listed', () => {
  const declared = sources.flatMap((file) => {
    const text = readFileSync(path.join(domain, file), 'utf8');
    return [...text.matchAll(/^@Entity\('(\w+)'\)/gm)].map(([, table]) => table);
  });
  const listed = getMetadataArgsStorage().tables.filter(({ target }) =>
    ENTITIES.includes(target as never),
  );
  expect(listed.map(({ name }) => name).sort()).toEqual(declared.sort());
  expect(declared).toContain('users');
});

test('each statement of identify writes every column of users and groups that has no default (U1)', () => {
  const text = readFileSync(path.join(domain, 'users/identify-statement.ts'), 'utf8');
  const lists = [...text.matchAll(/INSERT INTO [^(]*\(([^)]*identifier[^)]*)\)/g)].map(([, list]) =>
    list!.split(', '),
  );
  const columns = getMetadataArgsStorage()
    .columns.filter(({ target }) => target === User || target === Identified)
    .filter(({ options }) => options.default === undefined && !options.primary)
    .map(({ options, propertyName }) => options.name ?? propertyName);
  expect(columns).toContain('identifier');
  expect(lists.length).toBeGreaterThan(2);
  for (const list of lists) expect(list).toEqual(expect.arrayContaining(columns));
});
