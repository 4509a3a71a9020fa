import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const PROJECT_RULE = '@nx/enforce-module-boundaries';

/** What would be wrong, in which file, with which text, and the rule that must say so. */
const FORBIDDEN = [
  ['the domain does not import the kit', 'libs/domain/src/users/user.ts', "import '@waymark/service-kit/errors';", PROJECT_RULE],
  [
    'a service does not import the other service',
    'apps/users-api/src/main.ts',
    "import '@waymark/blocks-api';",
    'no-restricted-imports',
  ],
  [
    'a lib does not import an app by path',
    'libs/domain/src/users/user.ts',
    "import '../../../apps/users-api/src/main.js';",
    PROJECT_RULE,
  ],
  [
    'a service does not import the local PostgreSQL',
    'apps/users-api/src/main.ts',
    "import '@waymark/local-postgres';",
    PROJECT_RULE,
  ],
  [
    'the domain does not import the testing lib outside of tests',
    'libs/domain/src/users/user.ts',
    "import '@waymark/testing/builders';",
    PROJECT_RULE,
  ],
  [
    'files do not import each other in a circle',
    'libs/domain/src/database/database-failure.ts',
    "import './database.js';",
    'import-x/no-cycle',
  ],
  ['the engine knows no framework', 'libs/domain/src/engine/state/state.ts', "import '@nestjs/common';", 'no-restricted-imports'],
  ['targeting knows no Node', 'libs/domain/src/targeting/scope.ts', "import 'node:fs';", 'no-restricted-imports'],
  ['flow files know no database', 'libs/domain/src/flow-files/index.ts', "import 'typeorm';", 'no-restricted-imports'],
  [
    'the engine knows no stored thing',
    'libs/domain/src/engine/state/state.ts',
    "import '../../users/index.js';",
    'no-restricted-imports',
  ],
  ['the engine has no clock', 'libs/domain/src/engine/state/state.ts', 'export const at = Date.now();', 'no-restricted-syntax'],
  [
    'the engine has no chance',
    'libs/domain/src/engine/state/state.ts',
    'export const one = Math.random();',
    'no-restricted-syntax',
  ],
  [
    'settings are read in config only',
    'libs/domain/src/users/user.ts',
    'export const url = process.env.URL;',
    'no-restricted-syntax',
  ],
  ['a service does not print', 'apps/users-api/src/main.ts', "console.log('x');", 'no-console'],
] as const;
const ALLOWED = { file: 'libs/domain/src/users/user.ts', text: "import '../errors/index.js';" };

/** The rules that lint reports for texts that pretend to be files of the workspace. */
function lint(texts: { file: string; text: string }[]): string[][] {
  // First the project graph that @nx/enforce-module-boundaries reads: without it the rule would be skipped in silence.
  const graph = spawnSync(process.execPath, ['node_modules/.bin/nx', 'show', 'projects'], { cwd: root, encoding: 'utf8' });
  if (graph.status !== 0) throw new Error(graph.stderr);
  const input = JSON.stringify(texts);
  const { stdout, stderr } = spawnSync(process.execPath, ['tools/lint-texts.mjs'], { cwd: root, input, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as string[][];
}

describe('lint guards the arrows of the architecture', () => {
  let found: string[][];
  beforeAll(() => {
    found = lint([...FORBIDDEN.map(([, file, text]) => ({ file, text })), ALLOWED]);
  });

  test.each(FORBIDDEN.map((row, index) => ({ sentence: row[0], rule: row[3], index })))('$sentence', ({ rule, index }) => {
    expect(found[index]).toContain(rule);
  });

  test('a clean file passes', () => {
    expect(found.at(-1)).toEqual([]);
  });
});
