import { Option } from 'commander';
import type { KeyView } from '@waymark/domain/access';
import type { Command } from '../command-line/command.js';
import { parseLifetime } from '../command-line/arguments.js';

export function addKeyCommand(program: Command): void {
  const key = program
    .command('key')
    .description(
      'API keys; several of a kind may live side by side, so rotation needs no downtime',
    );
  addCreate(key);
  key
    .command('list')
    .description('the keys of the environment, revoked ones too; public ones readable')
    .operation(async (session) => {
      const { listKeys } = await import('@waymark/domain/access');
      const keys = await listKeys(await session.openOperatorDatabase(), session.environment);
      session.printOf({ keys }, session.table(keys.map(keyRow), 'there are no keys'));
    });
  key
    .command('revoke <id>')
    .description('refuse the key from now on; running services know it within a second')
    .recorded('key.revoke', async (session, id: string) => {
      const { revokeKey } = await import('@waymark/domain/access');
      const { key: _, ...revoked } = await revokeKey(
        await session.openOperatorDatabase(),
        id,
        session.author,
      );
      session.print(
        revoked,
        `revoked: ${revoked.kind} key ${revoked.id} of ${revoked.environment}`,
      );
    });
}

function keyRow({
  id,
  environment,
  kind,
  isSecret,
  name,
  key,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
}: KeyView) {
  const access = isSecret ? 'secret' : 'public';
  return {
    id,
    environment,
    kind,
    access,
    name,
    key: key ?? '(shown once)',
    lastUsedAt,
    createdAt,
    expiresAt,
    revokedAt,
  };
}

interface CreateOptions {
  kind: 'users' | 'blocks';
  secret?: boolean;
  expires?: number;
  name?: string;
}

function addCreate(key: Command): void {
  key
    .command('create')
    .description(
      'make a key; a secret one is shown this once and never again, and every users key is secret',
    )
    .addOption(
      new Option('--kind <kind>', 'the service it opens')
        .choices(['users', 'blocks'])
        .makeOptionMandatory(),
    )
    .option(
      '--secret',
      'a blocks key for backends: it needs no user tokens, and no page may carry it',
    )
    .option('--expires <lifetime>', 'such as 90d, 12h, 30m; never without it', parseLifetime)
    .option('--name <name>', 'to tell it from others')
    .recorded(
      'key.create',
      async (session, { kind, secret: isSecret, expires, name }: CreateOptions) => {
        const { createKey } = await import('@waymark/domain/access');
        const dataSource = await session.openOperatorDatabase();
        const wanted = {
          environment: session.environment,
          kind,
          isSecret,
          name,
          expiresInMs: expires,
        };
        const made = await createKey(dataSource, wanted, session.author);
        const { id, environment, key: text, expiresAt } = made;
        session.print(
          { id, kind, isSecret: made.isSecret, environment, key: text, name: made.name, expiresAt },
          text,
        );
        session.note(
          `${kind} key ${id} of ${environment}${made.isSecret ? '; keep it, it is not shown again' : ''}`,
        );
      },
    );
}
