import { expect, test } from '@jest/globals';
import { assignUids } from '@waymark/domain/flows';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { show } from './show.js';
import { walk } from './walk.js';

const FILE =
  'flow: f\nstart: a\nblocks: { a: { type: card, fields: { title: "Hi ${user.properties.name | you}" } } }';

test('a preview shows texts as they are for who has nothing, and a walk as they are for its user (Z5, N10)', () => {
  const { draft } = parseFlowFile(FILE, { file: 'f' });
  const { definition } = assignUids(draft!, [], () => 'u');
  expect(show(definition, {}).blocks[0]!.fields[0]!.value).toBe('Hi you');
  const user = { identifier: 'ada', properties: { name: 'Ada' }, createdAt: 0, updatedAt: 0 };
  const { shown } = walk(definition, ['read'], { now: 0, user, group: null });
  expect(shown.blocks[0]!.fields[0]!.value).toBe('Hi Ada');
});
