import { expect, test } from '@jest/globals';
import { mentionedProperties } from './mentioned-properties.js';
import { parseExpression } from '../language/parse.js';

test.each([
  [
    'user.properties.plan == "pro" AND NOT includes(user.properties["a b"].c, user.properties.plan)',
    ['plan', 'a b'],
  ],
  ['group.properties.seats > 10 OR user.createdAt > now() - days(user.properties.days)', ['days']],
  ['matches(user.properties.mail, "x") OR user.properties[0]', ['mail']],
  ['length(user.properties) > 1', null],
  ['true', []],
])('names the properties that a condition looks at: %s (S29)', (source, names) => {
  const found = mentionedProperties([parseExpression(source)]);
  expect(found && [...found]).toEqual(names);
});
