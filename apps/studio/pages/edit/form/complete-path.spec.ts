import { describe, expect, test } from '@jest/globals';
import { parseExpression } from '@waymark/domain/targeting';
import { completionAt } from './complete-path.js';

const NAMES = { user: ['city', 'plan', 'too-large', 'trial'], group: ['plan'] };
/** `|` is the cursor. */
const at = (text: string) => completionAt(text.replace('|', ''), text.indexOf('|'), NAMES);

describe('completion of property names in conditions (T9)', () => {
  test('offers paths that begin with what is written, or hold it in their names', () => {
    expect(at('user.properties.p|')).toEqual({ from: 0, choices: ['user.properties.plan'] });
    expect(at('NOT cit|')).toEqual({ from: 4, choices: ['user.properties.city'] });
    expect(at('plan| == "pro"')?.choices).toEqual(['user.properties.plan', 'group.properties.plan']);
    expect(at('user.i|')?.choices).toEqual(['user.identifier']);
    expect(at('rope|')).toBeUndefined();
  });

  test('offers nothing within a text, behind a value, or where everything is written', () => {
    for (const text of ['"plan|', 'user.properties.plan == "p|', '1|', 'user.properties.plan|', '|'])
      expect(at(text)).toBeUndefined();
    expect(at('user.properties.plan == "a\\"b" AND tri|')?.choices).toEqual(['user.properties.trial']);
  });

  test('whatever it offers can be read as a condition', () => {
    const offered = ['u', 'g', 'large'].flatMap((text) => completionAt(text, text.length, NAMES)!.choices);
    expect(offered).toContain('user.properties["too-large"]');
    for (const path of offered) expect(() => parseExpression(path)).not.toThrow();
  });
});
