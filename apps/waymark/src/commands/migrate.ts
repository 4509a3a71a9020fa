import { parseLimit } from '../command-line/arguments.js';
import type { MigrationStatus } from '@waymark/domain/schema';
import type { Command } from '../command-line/command.js';
import { CommandRefusal } from '../refusal/command-refusal.js';
import type { Session } from '../command-line/session.js';
import type { DataSource } from 'typeorm';

export function addMigrateCommand(program: Command): void {
  const migrate = program
    .command('migrate')
    .description('bring the database schema up to this release, or back');
  migrate
    .command('up')
    .description('apply every pending migration; several at once wait for each other')
    .operation(async (session) => {
      const { migrateUp } = await import('@waymark/domain/schema');
      print(session, await migrateUp(await openSession(session)));
    });
  addStatusCommand(migrate);
  migrate
    .command('finish')
    .description('after an upgrade, let flows use what only this release can serve')
    .operation(async (session) => {
      const { countOlderConnections, raiseEngineLevel } = await import('@waymark/domain/flows');
      const dataSource = await session.openOperatorDatabase();
      const older = await countOlderConnections(dataSource);
      if (older > 0) throw new CommandRefusal(describeOlder(older));
      const { level, raised } = await raiseEngineLevel(dataSource);
      session.print(
        { level, raised },
        raised
          ? `flows may use all that this release has (engine level ${level})`
          : `engine level ${level} already`,
      );
    });
  migrate
    .command('down')
    .description('take the last migration back, and the data that it made room for')
    .operation(async (session) => {
      const { holdsData, migrateDown } = await import('@waymark/domain/schema');
      const dataSource = await openSession(session);
      if (await holdsData(dataSource))
        await session.confirm('This may delete users, flows and states for ever.');
      print(session, await migrateDown(dataSource));
    });
  addDistributeCommand(migrate);
}

function addStatusCommand(migrate: Command): void {
  migrate
    .command('status')
    .description('which migrations are applied and which are pending')
    .operation(async (session) => {
      const { areEventPlacesAhead, loadMigrationStatus } = await import('@waymark/domain/schema');
      const { Database } = await import('@waymark/domain/database');
      const dataSource = await session.openOperatorDatabase({ anySchema: true });
      const status = await loadMigrationStatus(dataSource);
      print(session, status);
      const isWhole = status.pending.length === 0;
      if (isWhole && (await areEventPlacesAhead(new Database(dataSource, false))))
        session.note(RESTORED);
      if (isWhole && (await isBelowNewest(dataSource))) session.note(UNFINISHED);
    });
}

function addDistributeCommand(migrate: Command): void {
  migrate
    .command('distribute')
    .description(
      'have Citus spread the tables over several servers, or do so with those that came since',
    )
    .option(
      '--shards <number>',
      'into how many pieces the users are cut; 32 without it',
      parseLimit,
    )
    .operation(async (session, options: { shards?: number }) => {
      const { distributeTables, listEndingEndpoints } = await import('@waymark/domain/schema');
      const dataSource = await openSession(session, { anySchema: false });
      const ending = await listEndingEndpoints(dataSource);
      await session.confirm(
        `Writes are refused for as long as it takes to copy the tables, and there is no way back but a restore.${describeEnding(ending)}`,
      );
      const { distributed, copied } = await distributeTables(dataSource, options);
      const lines = [
        ...distributed.map((table) => `distributed  ${table}`),
        ...copied.map((table) => `copied       ${table}`),
      ];
      session.print(
        { distributed, copied, endedEndpoints: ending },
        lines.join('\n') || 'all tables were distributed before',
      );
    });
}

const describeEnding = (endpoints: readonly string[]): string =>
  endpoints.length === 0
    ? ''
    : ` Nothing is delivered any more to ${endpoints.length === 1 ? 'this endpoint' : 'these endpoints'}, since events have no common order then: ${endpoints.join(', ')}.`;

const describeOlder = (connections: number): string =>
  `a replica of the release before is still connected to this database (${connections} ${connections === 1 ? 'connection' : 'connections'} of blocks-api in pg_stat_activity), and could not serve what flows may then use: stop it first`;

async function isBelowNewest({ manager }: DataSource): Promise<boolean> {
  const { loadEngineLevel } = await import('@waymark/domain/flows');
  const { NEWEST_FORMAT } = await import('@waymark/domain/engine');
  return (await loadEngineLevel(manager)) < NEWEST_FORMAT;
}

const UNFINISHED =
  'flows may not use yet what is new in this release: run `waymark migrate finish` once no replica of the release before runs';
const RESTORED =
  'the database was restored into another cluster, which counts transactions anew: services refuse to start before `waymark migrate up`';

/** Migrations hold a lock of the session. */
async function openSession(
  session: Session,
  { anySchema } = { anySchema: true },
): Promise<DataSource> {
  const { requireSession } = await import('../command-line/open-database.js');
  return requireSession(await session.openOperatorDatabase({ anySchema }));
}

function print(session: Session, { applied, pending }: MigrationStatus): void {
  const lines = [
    ...applied.map((name) => `applied  ${name}`),
    ...pending.map((name) => `pending  ${name}`),
  ];
  session.print({ applied, pending }, lines.join('\n'));
}
