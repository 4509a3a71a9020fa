import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import {
  describeSettings,
  exampleSettings,
  listSettings,
  readSettings,
  ServiceSettings,
} from '@waymark/service-kit/config';
import { BlocksSettings } from './settings.js';

/** `PORT` has a row with the settings of every service. */
const ownSettings = () =>
  listSettings(BlocksSettings, ServiceSettings).filter(({ name }) => name !== 'PORT');

/** `node tools/settings.mjs` writes both files. */
describe('the settings of the blocks API', () => {
  test('are in the example file, all of them and as they are', async () => {
    expect(await readFile('.env.example', 'utf8')).toContain(exampleSettings(ownSettings()));
  });

  test('are in the documentation for operators', async () => {
    const table = /<!-- settings:blocks-api -->\n([^]*?)<!-- \/settings -->/.exec(
      await readFile('docs/reference.md', 'utf8'),
    )![1]!;
    expect(table.replace(/[ -]+/g, ' ')).toContain(
      describeSettings(ownSettings()).replace(/[ -]+/g, ' '),
    );
  });

  test('ask for the address of Redis where Redis is the bus', () => {
    const read = (more: Record<string, string>) =>
      readSettings(BlocksSettings, {
        DATABASE_URL: 'postgres://localhost/x',
        LIVE_BUS: 'redis',
        ...more,
      });
    expect(() => read({})).toThrow('REDIS_URL has to be given with LIVE_BUS=redis');
    expect(read({ REDIS_URL: 'redis://localhost' }).redisUrl).toBe('redis://localhost');
    expect(read({ LIVE_BUS: 'postgres' }).redisUrl).toBeUndefined();
  });
});
