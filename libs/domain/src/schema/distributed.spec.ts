import { expect, test } from '@jest/globals';
import { findRefusals } from '@waymark/testing/citus';
import '../effects/index.js';
import '../environments/index.js';
import '../event-log/index.js';
import '../flow-states/index.js';
import '../flows/index.js';
import '../impact/index.js';
import '../live-bus/index.js';
import '../user-records/index.js';
import '../users/index.js';
import { definedStatements } from '../database/index.js';

test.each(
  definedStatements()
    .filter(({ servers }) => servers === 'any')
    .map((statement) => [statement.name, statement] as const),
)('%s is a statement that Citus takes too (G1)', async (_name, { text }) => expect(await findRefusals(text)).toEqual([]));
