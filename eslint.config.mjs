import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const SPECS = [
  '**/*.spec.ts',
  '**/*.int-spec.ts',
  '**/*.e2e-spec.ts',
  'apps/*/e2e/**/*.ts',
  'libs/*/e2e/**/*.ts',
];

const ENVIRONMENT = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message:
    'Read settings in the config folder only, so that all of them are checked once, before the start.',
};
const CLOCK_AND_CHANCE = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'Time is handed in (S30).',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Time is handed in (S30).',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'The same input gives the same output.',
  },
];
/**
 * The rooms that import nothing from outside of them (`.dependency-cruiser.mjs`) have no clock,
 * chance or surroundings either.
 */
const PURE = ['libs/domain/src/{targeting,engine,flow-files}/**/*.ts', 'libs/picture/src/**/*.ts'];

export default defineConfig(
  {
    ignores: [
      '**/dist/**',
      'node_modules/**',
      '**/node_modules/**',
      '.nx/**',
      '.waymark/**',
      '**/*.generated.*',
      'examples/**',
    ],
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
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_$', ignoreRestSiblings: true },
      ],
      'no-console': 'error',
      'max-lines': ['error', { max: 300 }],
      complexity: ['error', { max: 15, variant: 'modified' }],
      'no-restricted-syntax': ['error', ENVIRONMENT],
    },
  },
  {
    files: PURE,
    ignores: SPECS,
    rules: {
      'no-restricted-syntax': ['error', ENVIRONMENT, ...CLOCK_AND_CHANCE],
      'no-restricted-globals': [
        'error',
        'process',
        'Buffer',
        'setTimeout',
        'setInterval',
        'performance',
        'crypto',
        'fetch',
      ],
    },
  },
  {
    // Settings are read where they are described: each process has one such place.
    files: ['**/config/**/*.ts', 'libs/testing/**/*.ts', 'bench/**/*.ts', ...SPECS],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: [...SPECS, 'libs/testing/**/*.ts'], rules: { 'max-lines': 'off' } },
);
