import { Option } from 'commander';
import type { FoundUser, UserFilter } from '@waymark/domain/records';
import type { Command } from '../command-line/command.js';
import {
  conditionOf,
  type ConditionOptions,
  parseLimit,
  parseNumber,
} from '../command-line/arguments.js';
import { flagsText } from '../output/plain-text.js';
import { Progress } from '../output/progress.js';
import type { Session } from '../command-line/session.js';
import { CommandRefusal } from '../refusal/command-refusal.js';

const PAGE = 1_000;

interface ListArguments extends Omit<UserFilter, 'when'>, ConditionOptions {
  limit: number;
  after?: string;
}

export function addUserListCommand(user: Command): void {
  user
    .command('list')
    .description('users by identifier, a page at a time, or those who fit')
    .option('--starts-with <text>', 'only users whose identifiers begin with it, in that case')
    .option('--when <expression>', 'only users for whom the expression holds')
    .option('--segment <name>', 'only users in that segment')
    .option(
      '--flow <flow>',
      'only users with a state in that flow, in the newest version that they met',
    )
    .option('--block <block>', 'only users who are at that block or item of the flow')
    .addOption(
      new Option(
        '--goal <met|missed>',
        'only users who started the flow and met its goal by now, or finished it and did not',
      ).choices(['met', 'missed']),
    )
    .option('--version <number>', 'their state in that version of the flow', parseNumber)
    .option('--limit <number>', 'users at most', parseLimit, PAGE)
    .option('--after <id>', 'the users after that one')
    .operation(async (session, { limit, after, when, segment, ...about }: ListArguments) => {
      const filter = { ...about, ...conditionOf({ when, segment }) };
      if (
        filter.flow === undefined &&
        (filter.block ?? filter.version ?? filter.goal) !== undefined
      )
        throw new CommandRefusal(
          '--block, --goal and --version are about a flow: say which with --flow',
          {
            status: 'usage',
          },
        );
      const page = { limit, ...(after !== undefined && { after }) };
      const users = await find(session, filter, page);
      const isFiltered = Object.keys(filter).length > 0;
      session.printOf(
        { users },
        session.table(users.map(row), isFiltered ? 'no user fits' : 'there are no users'),
      );
      if (users.length === limit)
        session.note(`there may be more: --after ${JSON.stringify(users.at(-1)!.identifier)}`);
    });
}

async function find(
  session: Session,
  filter: UserFilter,
  page: Pick<ListArguments, 'limit' | 'after'>,
): Promise<FoundUser[]> {
  const { findUsers } = await import('@waymark/domain/records');
  const { dataSource, environmentId } = await session.openEnvironment();
  const progress = new Progress(session, 'users found');
  const users: FoundUser[] = [];
  const onProgress = (share: number) => progress.show({ done: users.length, share });
  const look = async () => {
    for await (const user of findUsers(dataSource, environmentId, filter, { ...page, onProgress }))
      users.push(user);
  };
  await progress.during(look());
  return users;
}

function row({ identifier, createdAt, updatedAt, place }: FoundUser) {
  if (!place) return { identifier, createdAt, updatedAt };
  const { version, active } = place;
  return {
    identifier,
    version,
    state: flagsText(place),
    active: active.join(', ') || '-',
    createdAt,
    updatedAt,
  };
}
