import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { describeSettings, exampleSettings, parseSettings, serviceSettings } from '@waymark/service-kit/config';
import { checkSettings, SETTINGS_TABLE } from './settings.js';

const ownSettings = () => {
  const common = serviceSettings(0);
  return Object.entries(SETTINGS_TABLE).flatMap(([key, setting]) => (key in common ? [] : [setting]));
};

/** `node tools/settings.mjs` writes both files. */
describe('the settings of the blocks API', () => {
  test('are in the example file, all of them and as they are', async () => {
    expect(await readFile('.env.example', 'utf8')).toContain(exampleSettings(ownSettings()));
  });

  test('are in the documentation for operators', async () => {
    const table = /<!-- settings:blocks-api -->\n([^]*?)<!-- \/settings -->/.exec(
      await readFile('docs/operations.md', 'utf8'),
    )![1]!;
    expect(table.replace(/[ -]+/g, ' ')).toContain(describeSettings(ownSettings()).replace(/[ -]+/g, ' '));
  });

  test('ask for the address of Redis where Redis is the bus', () => {
    const read = (more: Record<string, string>) =>
      checkSettings(parseSettings(SETTINGS_TABLE, { DATABASE_URL: 'postgres://localhost/x', LIVE_BUS: 'redis', ...more }));
    expect(read({})).toEqual(['REDIS_URL has to be given with LIVE_BUS=redis']);
    expect(read({ REDIS_URL: 'redis://localhost' })).toEqual([]);
  });
});
