import { swcOptions } from './tools/build.mjs';

/**
 * One run for the whole workspace: one PostgreSQL, started by tools/jest-setup.mjs, serves every
 * worker.
 */
export default {
  rootDir: '.',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts', '**/*.int-spec.ts', '**/*.e2e-spec.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.tsx?$': ['@swc/jest', { ...swcOptions, sourceMaps: 'inline' }] },
  moduleNameMapper: {
    '^@waymark/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@waymark/([a-z-]+)/([a-z/-]+)$': '<rootDir>/libs/$1/src/$2/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/libs/[a-z-]+/dist'],
  globalSetup: '<rootDir>/tools/jest-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest-teardown.mjs',
  // For what hangs: a machine may be as busy as it likes, and no test is about time. None has a
  // shorter one of its own.
  testTimeout: 600_000,
  // Twice the cores of a small machine: whoever starts servers and browsers waits half of the time.
  maxWorkers: 4,
  reporters: ['default', '<rootDir>/tools/progress-reporter.mjs'],
};
