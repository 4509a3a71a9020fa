import { expect, test } from '@jest/globals';
import { DomainError } from '@waymark/domain/database/errors';
import { CommanderError } from 'commander';
import { explainFailure } from './explain-failure.js';
import { CommandRefusal } from '../refusal/command-refusal.js';

test.each([
  [new CommandRefusal('no \u001b[31mred'), 'no \\u001b[31mred', 'refused', 'refused'],
  [
    new DomainError('flow.unknown', 'there is no flow "x"'),
    'there is no flow "x"',
    'refused',
    'flow.unknown',
  ],
  [
    new CommanderError(1, 'commander.help', '(outputHelp)'),
    'a command is missing; see --help',
    'usage',
    'usage',
  ],
  [
    new CommanderError(1, 'x', "error: unknown command 'fly'\n(Did you mean x?)"),
    "unknown command 'fly' (Did you mean x?)",
    'usage',
    'usage',
  ],
])('%p is told in one sentence', async (error, message, status, code) => {
  expect(await explainFailure(error)).toMatchObject({
    message,
    status,
    document: { error: { code } },
  });
});

test('what the machine refuses has no stack, what is ours to mend has one', async () => {
  const denied = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), {
    syscall: 'mkdir',
  });
  expect(await explainFailure(denied)).toMatchObject({
    message: denied.message,
    status: 'refused',
  });
  const { message } = await explainFailure(new TypeError('ours'));
  expect(message).toMatch(/^TypeError: ours\n +at /);
});
