import type { UserFlow } from '@waymark/domain/records';
import type { Command } from '../command-line/command.js';
import { parseNumber } from '../command-line/arguments.js';
import { flagsText } from '../output/plain-text.js';
import { RawJson } from '../output/print-json.js';
import { writePiece } from '../output/write-output.js';
import type { TriedChange } from '../command-line/session.js';
import { addUserListCommand } from './user-list.js';

const triedDeletion = (user: string): TriedChange => ({ action: 'user.delete', user });
const triedRestore = (user: string): TriedChange => ({ action: 'state.restore', user });

export function addUserCommand(program: Command): void {
  const user = program.command('user').description('what is kept of the users of the environment');
  addShowCommand(user);
  addUserListCommand(user);
  addRestore(user);
  user
    .command('delete <id>')
    .description('delete everything that is kept of a user, for ever')
    .recorded(triedDeletion, async (session, id: string) => {
      const { deleteUser, loadUser } = await import('@waymark/domain/records');
      const { dataSource, environmentId } = await session.openEnvironment();
      await loadUser(dataSource, environmentId, id);
      await session.confirm(
        `This deletes user ${JSON.stringify(id)} of ${session.environment} for ever.`,
      );
      const { Database } = await import('@waymark/domain/database');
      const { DatabaseStateChanges } = await import('@waymark/domain/states');
      const changes = new DatabaseStateChanges(
        new Database(dataSource, session.settings.preparedStatements),
      );
      const deleted = await deleteUser(dataSource, environmentId, id, changes, session.author);
      const { states, events, effects, memberships } = deleted;
      session.printOf(
        deleted,
        `deleted: user ${id} of ${session.environment}, ${states} state(s), ${events} event(s), ${effects} effect(s), ${memberships} membership(s)`,
      );
    });
  user
    .command('export <id>')
    .description('everything that is kept of a user, as JSON')
    .operation(async (session, id: string) => {
      const { exportUser } = await import('@waymark/domain/records');
      const { dataSource, environmentId } = await session.openEnvironment();
      for await (const piece of exportUser(dataSource, environmentId, id)) await writePiece(piece);
      await writePiece('\n');
    });
}

interface RestoreOptions {
  version: number;
  at: number;
}

function addRestore(user: Command): void {
  user
    .command('restore <id> <flow>')
    .description('give a user a former state of a flow back, as a new event')
    .requiredOption('--version <number>', 'the version', parseNumber)
    .requiredOption(
      '--at <revision>',
      'as it was after that revision; `waymark history` shows them',
      parseNumber,
    )
    .recorded(
      triedRestore,
      async (session, user: string, flow: string, { version, at }: RestoreOptions) => {
        const { restoreState } = await import('@waymark/domain/states');
        const { openOperatorAccess } = await import('@waymark/domain/states');
        const { dataSource, environmentId } = await session.openEnvironment();
        const wanted = { user, flow, version, revision: at };
        const { tookEffect, revision, newerVersion } = await restoreState(
          openOperatorAccess(dataSource, session.settings.preparedStatements),
          environmentId,
          wanted,
          session.author,
        );
        const document = { user, flow, version, at, restored: tookEffect, revision, newerVersion };
        const done = tookEffect
          ? `restored as revision ${revision}`
          : 'the state was that already; nothing was changed';
        session.printOf(document, `${flow} version ${version} in ${session.environment}: ${done}`);
        if (newerVersion !== null)
          session.note(
            `the user has a state in version ${newerVersion} too, which readers of the latest version see instead`,
          );
      },
    );
}

function addShowCommand(user: Command): void {
  user
    .command('show <id>')
    .description('properties, groups and the state of each flow')
    .operation(async (session, id: string) => {
      const { loadUser } = await import('@waymark/domain/records');
      const { dataSource, environmentId } = await session.openEnvironment();
      const { properties, ...rest } = await loadUser(dataSource, environmentId, id);
      const { identifier, events, flows, createdAt, updatedAt } = rest;
      const groups = rest.groups.map((group) => ({
        ...group,
        properties: new RawJson(group.properties),
      }));
      const document = {
        identifier,
        properties: new RawJson(properties),
        groups,
        events,
        flows,
        createdAt,
        updatedAt,
      };
      const head = `${identifier}\nidentified ${createdAt.toISOString()}, last ${updatedAt.toISOString()}\nproperties ${properties}`;
      const membership = `groups ${groups.map((group) => group.identifier).join(', ') || 'none'}`;
      session.print(
        document,
        [
          head,
          membership,
          ...(events.length > 0 ? ['', session.table(events, '')] : []),
          '',
          session.table(flows.map(flowRow), 'no state in any flow'),
        ].join('\n'),
      );
    });
}

function flowRow({ flow, version, revision, state, blocks }: UserFlow) {
  const active = blocks
    .filter((block) => block.state.active)
    .map((block) => block.sid.slice(flow.length + 1));
  return { flow, version, revision, state: flagsText(state), active: active.join(', ') || '-' };
}
