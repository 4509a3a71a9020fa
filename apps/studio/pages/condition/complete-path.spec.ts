import { describe, expect, test } from '@jest/globals';
import { parseExpression } from '@waymark/domain/targeting';
import { completionAt, completionInLine } from './complete-path.js';

const NAMES = {
  user: [['city'], ['plan'], ['too-large'], ['trial'], ['address', 'street'], ['address', 'a.b']],
  group: [['plan']],
  segments: ['pro-admins', 'a"b'],
  events: ['Invited "x"'],
};
/** `|` is the cursor. */
const at = (text: string) => completionAt(text.replace('|', ''), text.indexOf('|'), NAMES);

describe('completion of property names in conditions (T9)', () => {
  test('offers paths that begin with what is written, or hold it in their names', () => {
    expect(at('user.properties.p|')).toEqual({ from: 0, choices: ['user.properties.plan'] });
    expect(at('NOT cit|')).toEqual({ from: 4, choices: ['user.properties.city'] });
    expect(at('plan| == "pro"')?.choices).toEqual([
      'user.properties.plan',
      'group.properties.plan',
    ]);
    expect(at('user.i|')?.choices).toEqual(['user.identifier']);
    expect(at('rope|')).toBeUndefined();
  });

  test('offers what users did, as conditions look at it (T15, Z2)', () => {
    expect(at('invit|')?.choices).toEqual(
      ['count', 'last', 'first'].map((member) => `user.events["Invited \\"x\\""].${member}`),
    );
  });

  test('offers what is within objects, by any part of its way (T9)', () => {
    expect(at('user.properties.address.st|')?.choices).toEqual(['user.properties.address.street']);
    expect(at('address.st|')?.choices).toEqual(['user.properties.address.street']);
    expect(at('stre|')?.choices).toEqual(['user.properties.address.street']);
    expect(at('address.a|')?.choices).toEqual(['user.properties.address["a.b"]']);
  });

  test('offers the same in a line of YAML, where a condition is written', () => {
    const inLine = (line: string) => completionInLine(line, NAMES);
    const street = ['user.properties.address.street'];
    expect(inLine('  when: stre')).toEqual({ from: 8, choices: street });
    expect(inLine("target: { users: matching, when: 'NOT stre")).toEqual({
      from: 38,
      choices: street,
    });
    expect(inLine('    user.properties.address.s')).toEqual({ from: 4, choices: street });
    for (const line of [
      '  title: plan',
      'name: stre',
      '  when: user.properties.plan == "stre',
      'flow: user',
      'whenever: plan',
    ])
      expect(inLine(line)).toBeUndefined();
  });

  test('offers segments by their names, and by what they are (Z6)', () => {
    expect(at('NOT admi|')).toEqual({ from: 4, choices: ['segment("pro-admins")'] });
    expect(at('segm|')?.choices).toEqual(['segment("pro-admins")', 'segment("a\\"b")']);
    expect(completionInLine('  when: segm', NAMES)?.from).toBe(8);
  });

  test('offers nothing within a text, behind a value, or where everything is written', () => {
    for (const text of [
      '"plan|',
      'user.properties.plan == "p|',
      '1|',
      'user.properties.plan|',
      '|',
    ])
      expect(at(text)).toBeUndefined();
    expect(at('user.properties.plan == "a\\"b" AND tri|')?.choices).toEqual([
      'user.properties.trial',
    ]);
  });

  test('whatever it offers can be read as a condition', () => {
    const offered = ['u', 'g', 'large', 'seg'].flatMap(
      (text) => completionAt(text, text.length, NAMES)!.choices,
    );
    expect(offered).toContain('user.properties["too-large"]');
    for (const path of offered) expect(() => parseExpression(path, 'any')).not.toThrow();
  });
});
