import { expect, test } from '@jest/globals';
import { RawJson, toJson } from './print-json.js';

test('raw parts of a document come out as they went in, whatever stands in them', () => {
  const text = '{"big":12345678901234567890,"text":"$1 $& \\"quoted\\""}';
  const printed = toJson({
    before: 1,
    raw: new RawJson(text),
    list: [new RawJson('1e400')],
    after: '$&',
  });
  expect(printed.replace(/\s/g, '')).toBe(
    `{"before":1,"raw":${text.replace(/\s/g, '')},"list":[1e400],"after":"$&"}`,
  );
});

test('nothing in a document acts on a terminal, and it is the same document', () => {
  const document = { name: 'a\u001b[2J\u009b31m\u007f\u202e' };
  const printed = toJson({ ...document, raw: new RawJson(JSON.stringify(document)) });
  expect(printed).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  expect(JSON.parse(printed)).toEqual({ ...document, raw: document });
});
