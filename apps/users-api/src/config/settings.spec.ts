import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { describeSettings, exampleSettings } from '@waymark/service-kit/config';
import { SETTINGS_TABLE } from './settings.js';

/** `node tools/settings.mjs` writes both files. */
describe('the settings of the users API', () => {
  test('are in the example file, all of them and as they are', async () => {
    expect(await readFile('.env.example', 'utf8')).toContain(exampleSettings(Object.values(SETTINGS_TABLE)));
  });

  test('are in the documentation for operators', async () => {
    const names = Object.values(SETTINGS_TABLE).map((setting) => setting.name);
    const table = /<!-- settings:users-api -->\n([^]*?)<!-- \/settings -->/.exec(
      await readFile('docs/operations.md', 'utf8'),
    )![1]!;
    const documented = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(documented).toEqual(names);
    expect(table.replace(/[ -]+/g, ' ')).toContain(describeSettings(Object.values(SETTINGS_TABLE)).replace(/[ -]+/g, ' '));
  });
});
