import { describe, expect, test } from '@jest/globals';
import { branch, card, compileFlow } from '@waymark/testing/builders';
import type { Command } from '../../state/command.js';
import type { Target } from '../../definition/definition.js';
import { needsContext } from './needs-context.js';

const matching: Target = { users: 'matching', when: 'user.properties.a' };
const plain = compileFlow({ blocks: { a: card() } });
const targeted = compileFlow({ target: matching, blocks: { a: card() } });
const branching = compileFlow({ blocks: { a: card({ complete: 'b' }), b: branch('user.properties.b', { true: 'a' }) } });
const commands: Record<string, Command | 'read'> = {
  read: 'read',
  start: { kind: 'start', force: false },
  reset: { kind: 'reset', force: false },
  stop: { kind: 'stop' },
  finish: { kind: 'finish' },
  transition: { kind: 'transition', block: 'u-a', names: ['complete'] },
};
const asking = (flow: typeof plain) => Object.keys(commands).filter((name) => needsContext(flow, commands[name] ?? 'read'));

describe('whether properties have to be read', () => {
  test('never, where neither targeting nor a branch asks for them (S7, S15)', () => {
    expect(asking(plain)).toEqual([]);
  });

  test('for what may start, where targeting asks (S7)', () => {
    expect(asking(targeted)).toEqual(['read', 'start', 'reset']);
  });

  test('for everything, where a branch asks and a migration or edit may come first (S15, S27, S28)', () => {
    expect(asking(branching)).toEqual(Object.keys(commands));
  });
});
