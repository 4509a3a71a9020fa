import { expect, test } from '@jest/globals';
import { findRefusals } from '@waymark/testing/citus';
import '../outbound/index.js';
import '../access/index.js';
import '../events/index.js';
import '../states/index.js';
import '../flows/index.js';
import '../analysis/index.js';
import '../states/index.js';
import '../records/index.js';
import '../users/index.js';
import { definedStatements } from '../database/index.js';

test.each(
  definedStatements()
    .filter(({ servers }) => servers === 'any')
    .map((statement) => [statement.name, statement] as const),
)('%s is a statement that Citus takes too (G1)', async (_name, { text }) =>
  expect(await findRefusals(text)).toEqual([]),
);
