import { expect, test } from '@jest/globals';
import { RawJson, toJson } from './print-json.js';

test('raw parts of a document come out as they went in, whatever stands in them', () => {
  const text = '{"big":12345678901234567890,"text":"$1 $& \\"quoted\\""}';
  const printed = toJson({ before: 1, raw: new RawJson(text), list: [new RawJson('1e400')], after: '$&' });
  expect(printed.replace(/\s/g, '')).toBe(`{"before":1,"raw":${text.replace(/\s/g, '')},"list":[1e400],"after":"$&"}`);
});
