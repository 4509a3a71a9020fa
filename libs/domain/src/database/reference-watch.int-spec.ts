import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@waymark/testing/postgres';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../schema/index.js';
import { Database, ReferenceWatch } from './index.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataSource: DataSource;
let watch: ReferenceWatch;
let told: string[];

beforeEach(async () => {
  database = await createTestDatabase({});
  const settings = {
    poolSize: 1,
    applicationName: 'watch',
    statementTimeoutMs: 0,
    connectTimeoutMs: 0,
    answerTimeoutMs: 0,
  };
  dataSource = await createDataSource({ url: database.url, ...settings }).initialize();
  watch = new ReferenceWatch(new Database(dataSource), 5);
  told = [];
  watch.onChange('flows', () => told.push('flows'));
  watch.onChange('api-keys', () => told.push('api-keys'));
});
afterEach(async () => {
  watch.stop();
  await dataSource.destroy();
  await database.drop();
});

const raise = (name: string) =>
  dataSource.query('UPDATE reference_revisions SET revision = revision + 1 WHERE name = $1', [
    name,
  ]);

test('tells what moved since the last look, and only that', async () => {
  await watch.poll();
  told = [];
  await watch.poll();
  expect(told).toEqual([]);
  await raise('flows');
  await watch.poll();
  expect(told).toEqual(['flows']);
});

test('looks by itself until it is stopped', async () => {
  await watch.poll();
  const seen = new Promise<void>((resolve) => watch.onChange('api-keys', resolve));
  watch.start();
  await raise('api-keys');
  await seen;
});
