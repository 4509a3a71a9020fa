import { expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { previewsOf } from './edit.service.js';

const previews = (blocks: string) =>
  previewsOf(parseFlowFile(`flow: f\nstart: a\nblocks:\n${blocks}`, { file: 'f.yaml' }).draft!);

test('what is formatted is told with its place, what is read as it is written is not (T9)', () => {
  const { shown, left } = previews(`
  a: { type: card, fields: { title: "*A*", body: "Plain words for \${user.properties.name | you}" }, paths: { complete: b } }
  b: { type: checklist, fields: { body: "Some **bold** words" }, items: { one: { fields: { body: "- a\\n- b" } } } }\n`);
  expect(shown.map(({ nodes: _, ...place }) => place)).toEqual([
    { block: 'b', field: 'body' },
    { block: 'b', item: 'one', field: 'body' },
  ]);
  expect(JSON.stringify(shown[0]!.nodes)).toContain('"bold":true');
  expect(left).toBe(0);
});

test('of very much the first are told, and how many more there are (T9)', () => {
  const { shown, left } = previews(
    Array.from(
      { length: 300 },
      (_, index) =>
        `  ${index === 0 ? 'a' : `k${index}`}: { type: card, fields: { body: "${'*a* '.repeat(100)}" } }\n`,
    ).join(''),
  );
  expect(JSON.stringify(shown).length).toBeLessThan(401_000);
  expect(shown[0]!.block).toBe('a');
  expect([shown.length > 10, shown.length + left]).toEqual([true, 300]);
});
