import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/**
 * What would be wrong, in which file, with which imports, and the rule of `.dependency-cruiser.mjs`
 * that must say so.
 */
const FORBIDDEN = [
  [
    'the domain does not import the kit',
    'libs/domain/src/users/one.ts',
    "import '@waymark/service-kit/http';",
    'libs/domain imports its own libs only',
  ],
  [
    'a service does not import the other service',
    'apps/users-api/src/one.ts',
    "import '../../blocks-api/src/main.js';",
    'apps/users-api imports its own libs only',
  ],
  [
    'a lib does not import an app, types included',
    'libs/domain/src/users/two.ts',
    "import type { X } from '../../../../apps/users-api/src/main.js';",
    'libs/domain imports its own libs only',
  ],
  [
    'a service does not import the local PostgreSQL, also when it is loaded later',
    'apps/users-api/src/two.ts',
    "export const later = () => import('@waymark/local-postgres');",
    'apps/users-api imports its own libs only',
  ],
  [
    'nothing but tests imports the testing lib',
    'libs/domain/src/users/three.ts',
    "export * from '@waymark/testing/builders';",
    'libs/domain imports its own libs only',
  ],
  [
    'tests of an app do not import another app',
    'apps/users-api/e2e/one.e2e-spec.ts',
    "import '../../blocks-api/src/main.js';",
    'tests of apps/users-api import its own libs only',
  ],
  [
    'a room does not import from one above it, types included',
    'libs/domain/src/users/four.ts',
    "import type { X } from '../flows/index.js';",
    'libs/domain/src/users imports from rooms below it only',
  ],
  [
    'a room within a room does not either',
    'libs/domain/src/engine/state/one.ts',
    "import '../step/index.js';",
    'libs/domain/src/engine/state imports from rooms below it only',
  ],
  [
    'a room does not import from the roof',
    'apps/users-api/src/config/one.ts',
    "import '../main.js';",
    'apps/users-api/src/config imports from rooms below it only',
  ],
  [
    'files do not import each other in a circle, be it of types',
    'libs/domain/src/users/five.ts',
    "import type { X } from './six.js';",
    'files do not import each other in a circle',
  ],
  [
    'a project does not import itself by name',
    'libs/domain/src/users/seven.ts',
    "import '@waymark/domain/engine';",
    'a project does not import itself by name, which would pass by its rooms',
  ],
  ...[
    [
      'the engine knows no framework',
      'libs/domain/src/engine/state/two.ts',
      "import '@nestjs/common';",
    ],
    ['targeting knows no Node', 'libs/domain/src/targeting/values/one.ts', "import 'node:fs';"],
    ['nor by its short name', 'libs/domain/src/targeting/values/two.ts', "import 'crypto';"],
    [
      'flow files know no database',
      'libs/domain/src/flow-files/read/one.ts',
      "import type { X } from 'typeorm';",
    ],
    [
      'pictures know nothing that is stored',
      'libs/picture/src/svg/one.ts',
      "import '@waymark/domain/users';",
    ],
  ].map((row) => [...row, 'pure rooms import pure rooms and a few packages only'] as const),
  [
    'a spec takes generated cases from where their seed is set',
    'libs/domain/src/users/one.spec.ts',
    "import fc from 'fast-check';",
    'generated cases come from libs/testing/src/properties, where their seed is set',
  ],
  [
    'a file that nothing imports is not left lying, such as a command in no list',
    'apps/waymark/src/commands/one.ts',
    'export const one = 1;',
    'a file is used from where something starts',
  ],
  [
    'what is imported is there',
    'libs/domain/src/users/eight.ts',
    "import './nowhere.js';",
    'what is imported is there',
  ],
] as const;
const ALLOWED = [
  [
    'libs/domain/src/users/nine.ts',
    "import '../database/errors/index.js'; import 'node:fs'; import 'typeorm';",
  ],
  ['libs/domain/src/flow-files/read/two.ts', "import '../../engine/index.js'; import 'yaml';"],
  [
    'libs/domain/src/users/two.spec.ts',
    "import '../flows/index.js'; import '@waymark/testing/builders';",
  ],
  ['apps/users-api/src/three.ts', "import './config/one.js'; import '@waymark/service-kit/http';"],
] as const;
/** What is imported above, and what imports the files that are allowed. */
const THERE = [
  ['libs/domain/src/users/six.ts', "export * from './five.js';"],
  ['libs/domain/src/users/index.ts', "import './nine.js';"],
  ['libs/domain/src/flow-files/index.ts', "import './read/two.js';"],
  ['apps/users-api/src/main.ts', "import './three.js';"],
  ...[
    'apps/blocks-api/src/main.ts',
    'libs/domain/src/database/errors/index.ts',
    'libs/domain/src/engine/index.ts',
    'libs/domain/src/engine/step/index.ts',
    'libs/domain/src/flows/index.ts',
    'libs/local-postgres/src/index.ts',
    'libs/service-kit/src/http/index.ts',
    'libs/testing/src/builders/index.ts',
  ].map((file) => [file, ''] as const),
];
const PACKAGES = ['@nestjs/common', 'typeorm', 'yaml', 'fast-check'];

const RULES = path.join(root, '.dependency-cruiser.mjs');

interface Violation {
  from: string;
  rule: { name: string };
}

let folder: string;
let found: Violation[];

/** A tree with nothing in it but what is planted, and the packages that this imports. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-boundaries-'));
  const planted = [
    ...FORBIDDEN.map(([, file, text]) => [file, text] as const),
    ...ALLOWED,
    ...THERE,
  ];
  for (const [file, text] of planted) write(file, text);
  for (const lib of readdirSync(path.join(root, 'libs'))) {
    cpSync(
      path.join(root, 'libs', lib, 'package.json'),
      path.join(folder, 'libs', lib, 'package.json'),
    );
    link(`node_modules/@waymark/${lib}`, path.join(folder, 'libs', lib));
  }
  for (const name of PACKAGES) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  const { stdout, stderr } = cruise(RULES);
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  found = (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

function link(name: string, target: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  symlinkSync(target, path.join(folder, name));
}

function cruise(rules: string) {
  const cruiser = path.join(root, 'node_modules/.bin/depcruise');
  const args = [cruiser, '--config', rules, '--output-type', 'json', 'apps', 'libs'];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
}

const rulesFor = (file: string): string[] =>
  found.filter(({ from }) => from === file).map(({ rule }) => rule.name);

describe('the rules of what may import what', () => {
  test.each(FORBIDDEN.map(([sentence, file, , rule]) => ({ sentence, file, rule })))(
    '$sentence',
    ({ file, rule }) => expect(rulesFor(file)).toContain(rule),
  );

  test.each(ALLOWED.map(([file]) => file))('%s may import what it does', (file) =>
    expect(rulesFor(file)).toEqual([]),
  );

  test('have every room in their table, and no other', () => {
    cpSync(RULES, path.join(folder, '.dependency-cruiser.mjs'));
    write('libs/domain/src/attic/one.ts', '');
    const { stderr } = cruise(path.join(folder, '.dependency-cruiser.mjs'));
    expect(stderr).toContain('libs/domain/src/attic is not in it');
    expect(stderr).toContain('libs/domain/src/schema is not there');
    expect(stderr).not.toContain('libs/domain/src/users is');
  });
});

/** What no import shows: which text in which file, and the rule of the linter that must say so. */
const LINTED = [
  [
    'the engine has no clock',
    'libs/domain/src/engine/state/state.ts',
    'export const at = Date.now();',
    'no-restricted-globals',
  ],
  [
    'pictures have no chance',
    'libs/picture/src/draw-flow.ts',
    'export const one = Math.random();',
    'no-restricted-properties',
  ],
  [
    'flow files have no timers',
    'libs/domain/src/flow-files/index.ts',
    'setTimeout(() => undefined);',
    'no-restricted-globals',
  ],
  [
    'settings are read in config only',
    'libs/domain/src/users/index.ts',
    'export const url = process.env.URL;',
    'no-process-env',
  ],
  ['a service does not print', 'apps/users-api/src/main.ts', "console.log('x');", 'no-console'],
  [
    'promises are waited for',
    'apps/users-api/src/service.ts',
    'const run = async () => 1;\nrun();',
    'no-floating-promises',
  ],
] as const;

describe('lint', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-lint-'));
    for (const file of ['.oxlintrc.json', 'tsconfig.base.json'])
      cpSync(path.join(root, file), path.join(folder, file));
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const config = { extends: './tsconfig.base.json', compilerOptions: { types: [] } };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [, file, text] of LINTED) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('sees a clock, chance, timers, settings, output and lost promises where they do not belong', () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        path.join(root, 'node_modules/oxlint/bin/oxlint'),
        ...['--config', '.oxlintrc.json', '--format', 'json', 'apps', 'libs'],
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; filename: string }[];
    };
    const found = diagnostics.map(({ code, filename }) => `${filename}: ${code}`).sort();
    const expected = LINTED.map(
      ([, file, , rule]) => expect.stringMatching(`^${file}: .*\\(${rule}\\)$`) as unknown,
    );
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(found).toHaveLength(LINTED.length);
  });
});
