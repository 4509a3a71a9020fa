import { expect, test } from '@jest/globals';
import { checkDefinition } from '@waymark/domain/engine';
import { fc } from '@waymark/testing/properties';
import { editedFlows, flowDefinitions } from './index.js';

test('every generated flow and every edit of it may be stored (S4)', () => {
  const flows = fc.oneof(
    flowDefinitions(),
    editedFlows().map(({ after }) => after),
  );
  fc.assert(
    fc.property(flows, (flow) => {
      expect(checkDefinition(flow).filter(({ severity }) => severity === 'error')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
