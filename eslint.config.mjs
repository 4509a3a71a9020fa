import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const SPECS = ['**/*.spec.ts', '**/*.int-spec.ts', '**/*.e2e-spec.ts', 'apps/*/e2e/**/*.ts', 'libs/*/e2e/**/*.ts'];

/** Which project may import which: an app its libs, a lib only what lies below it, nothing an app. */
const PROJECTS = {
  'app:users-api': ['lib:domain', 'lib:service-kit'],
  'app:blocks-api': ['lib:domain', 'lib:service-kit'],
  'app:studio': ['lib:domain', 'lib:service-kit', 'lib:flow-picture'],
  'app:waymark': ['lib:domain', 'lib:flow-picture', 'lib:local-postgres'],
  'lib:service-kit': ['lib:domain'],
  'lib:flow-picture': ['lib:domain'],
  'lib:testing': ['lib:domain', 'lib:local-postgres'],
  'lib:client': [],
  'lib:domain': [],
  'lib:local-postgres': [],
};
const projectBoundaries = (alsoAllowed, forSpecs = {}) => [
  'error',
  {
    depConstraints: Object.entries(PROJECTS).map(([sourceTag, tags]) => ({
      sourceTag,
      onlyDependOnLibsWithTags: [...tags, ...alsoAllowed],
    })),
    // The command loads libs when they are needed, so that its help is quick; what it loads imports them as usual.
    checkDynamicDependenciesExceptions: ['.*'],
    ...forSpecs,
    banTransitiveDependencies: false,
    enforceBuildableLibDependency: false,
    allowCircularSelfDependency: true,
  },
];

const ENVIRONMENT = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Read settings in the config folder only, so that all of them are checked once, before the start.',
};
const CLOCK_AND_CHANCE = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Time is handed in (S30).' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Time is handed in (S30).' },
  { selector: "MemberExpression[object.name='Math'][property.name='random']", message: 'The same input gives the same output.' },
];
const PURE_FORBIDS = [
  '@nestjs/*',
  '@nestjs/*/*',
  'typeorm',
  'typeorm/*',
  'pg',
  'node:*',
  'rxjs',
  'class-validator',
  'class-transformer',
];
const APPS = { group: ['@waymark/users-api', '@waymark/blocks-api', '@waymark/waymark'], message: 'Nothing imports an app.' };
const OTHER_ROOMS = ['flows', 'flow-states', 'effects', 'live-bus', 'users', 'user-records', 'environments', 'database'].map(
  (room) => `**/${room}/**`,
);

const pureRoom = (room, forbidden, folder = `libs/domain/src/${room}`) => ({
  files: [`${folder}/**/*.ts`],
  ignores: SPECS,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          APPS,
          { group: PURE_FORBIDS, message: `${room} is pure: no framework, no database, no Node.` },
          { group: [...OTHER_ROOMS, ...forbidden], message: `${room} is pure: it knows only the other pure rooms below it.` },
        ],
      },
    ],
    'no-restricted-syntax': ['error', ENVIRONMENT, ...CLOCK_AND_CHANCE],
    'no-restricted-globals': ['error', 'process', 'Buffer', 'setTimeout', 'setInterval', 'performance', 'crypto', 'fetch'],
  },
});

export default defineConfig(
  {
    ignores: ['**/dist/**', 'node_modules/**', '**/node_modules/**', '.nx/**', '.waymark/**', '**/*.generated.*', 'examples/**'],
  },
  js.configs.recommended,
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'setImmediate',
          'Buffer',
          'URL',
          'fetch',
          'performance',
          'AbortController',
          'AbortSignal',
          'TextEncoder',
          'require',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx, 'import-x': importX },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.tsx', '.js'],
          extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
          conditionNames: ['types', 'import', 'node', 'default'],
        }),
      ],
    },
    rules: {
      '@nx/enforce-module-boundaries': projectBoundaries([]),
      // Within a project: between projects the rule above leaves no way back.
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_$', ignoreRestSiblings: true },
      ],
      'no-console': 'error',
      'no-restricted-imports': ['error', { patterns: [APPS] }],
      'max-lines': ['error', { max: 300 }],
      complexity: ['error', { max: 15, variant: 'modified' }],
      'no-restricted-syntax': ['error', ENVIRONMENT],
    },
  },
  pureRoom('targeting', ['**/flow-files/**']),
  pureRoom('engine', ['**/flow-files/**']),
  pureRoom('flow-files', []),
  pureRoom('flow-picture', [], 'libs/flow-picture/src'),
  {
    // Settings are read where they are described: each process has one such place.
    files: ['**/config/**/*.ts', 'libs/testing/**/*.ts', 'bench/**/*.ts', ...SPECS],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Tests may use the testing lib, which stands on what it tests.
    files: [...SPECS, 'libs/testing/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': projectBoundaries(['lib:testing', 'lib:local-postgres', 'lib:domain'], {
        ignoredCircularDependencies: ['domain', 'local-postgres', 'service-kit'].map((lib) => [lib, 'testing']),
        // The command loads libs when they are needed, so that its help is quick; its tests need not.
        checkDynamicDependenciesExceptions: ['.*'],
      }),
    },
  },
  {
    files: SPECS,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [APPS],
          paths: [{ name: 'fast-check', message: 'Import fc from @waymark/testing/properties, where its seed is set.' }],
        },
      ],
    },
  },
  { files: [...SPECS, 'libs/testing/**/*.ts'], rules: { 'max-lines': 'off' } },
);
