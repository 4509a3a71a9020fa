import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { describeSettings, exampleSettings, listSettings } from '@waymark/service-kit/config';
import { UsersSettings } from './settings.js';

/** `node tools/settings.mjs` writes both files. */
describe('the settings of the users API', () => {
  test('are in the example file, all of them and as they are', async () => {
    expect(await readFile('.env.example', 'utf8')).toContain(
      exampleSettings(listSettings(UsersSettings)),
    );
  });

  test('are in the documentation for operators', async () => {
    const names = listSettings(UsersSettings).map((setting) => setting.name);
    const table = /<!-- settings:users-api -->\n([^]*?)<!-- \/settings -->/.exec(
      await readFile('docs/reference.md', 'utf8'),
    )![1]!;
    const documented = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(documented).toEqual(names);
    expect(table.replace(/[ -]+/g, ' ')).toContain(
      describeSettings(listSettings(UsersSettings)).replace(/[ -]+/g, ' '),
    );
  });
});
