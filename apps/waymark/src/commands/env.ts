import type { Command } from 'commander';
import { operation } from '../command-line/operation.js';
import type { Session } from '../command-line/session.js';
import { table } from '../command-line/table.js';

interface Environment {
  name: string;
  createdAt: Date;
}

export function addEnv(program: Command): void {
  const env = program.command('env').description('environments: separate worlds of users, groups, keys and states');
  env
    .command('list')
    .description('all environments')
    .action(
      operation(async (session) => {
        const { listEnvironments } = await import('@waymark/domain/environments');
        print(session, await listEnvironments(await session.openDatabase()));
      }),
    );
  env
    .command('create <name>')
    .description('make another environment')
    .action(
      operation(async (session, name: string) => {
        const { createEnvironment } = await import('@waymark/domain/environments');
        print(session, [await createEnvironment(await session.openDatabase(), name, session.author)]);
      }),
    );
}

function print(session: Session, found: Environment[]): void {
  const environments = found.map(({ name, createdAt }) => ({ name, createdAt }));
  session.print({ environments }, table(environments, 'there are no environments'));
}
