import { Option, type Command } from 'commander';
import { parseLifetime } from '../command-line/arguments.js';
import { operation } from '../command-line/operation.js';
import { table } from '../command-line/table.js';

export function addKey(program: Command): void {
  const key = program
    .command('key')
    .description('API keys; several of a kind may live side by side, so rotation needs no downtime');
  addCreate(key);
  key
    .command('list')
    .description('the keys of the environment, revoked ones too; blocks keys readable')
    .action(
      operation(async (session) => {
        const { listKeys } = await import('@waymark/domain/environments');
        const keys = await listKeys(await session.openDatabase(), session.environment);
        session.print(
          { keys },
          table(
            keys.map((row) => ({ ...row, key: row.key ?? '(shown once)' })),
            'there are no keys',
          ),
        );
      }),
    );
  key
    .command('revoke <id>')
    .description('refuse the key from now on; running services know it within a second')
    .action(
      operation(async (session, id: string) => {
        const { revokeKey } = await import('@waymark/domain/environments');
        const { key: _, ...revoked } = await revokeKey(await session.openDatabase(), id, session.author);
        session.print(revoked, `revoked: ${revoked.kind} key ${revoked.id} of ${revoked.environment}`);
      }),
    );
}

interface CreateOptions {
  kind: 'users' | 'blocks';
  expires?: number;
  name?: string;
}

function addCreate(key: Command): void {
  key
    .command('create')
    .description('make a key; a users key is shown this once and never again')
    .addOption(new Option('--kind <kind>', 'the service it opens').choices(['users', 'blocks']).makeOptionMandatory())
    .option('--expires <lifetime>', 'such as 90d, 12h, 30m; never without it', parseLifetime)
    .option('--name <name>', 'to tell it from others')
    .action(
      operation(async (session, { kind, expires, name }: CreateOptions) => {
        const { createKey } = await import('@waymark/domain/environments');
        const dataSource = await session.openDatabase();
        const wanted = { environment: session.environment, kind, name, expiresInMs: expires };
        const made = await createKey(dataSource, wanted, session.author);
        const { id, environment, key: secret, expiresAt } = made;
        session.print({ id, kind, environment, key: secret, name: made.name, expiresAt }, secret);
        session.note(`${kind} key ${id} of ${environment}${kind === 'users' ? '; keep it, it is not shown again' : ''}`);
      }),
    );
}
