import type { GroupView } from '@waymark/domain/records';
import type { Command } from '../command-line/command.js';
import { parseLimit } from '../command-line/arguments.js';
import { inDigits } from '../output/numbers.js';
import { RawJson } from '../output/print-json.js';
import { Progress } from '../output/progress.js';
import type { Session } from '../command-line/session.js';
import { writePiece } from '../output/write-output.js';

const PAGE = 1_000;

export function addGroupCommand(program: Command): void {
  const group = program
    .command('group')
    .description('what is kept of the groups of the environment');
  group
    .command('show <id>')
    .description('properties, and how many users belong to it')
    .operation(show);
  group
    .command('list')
    .description('groups by identifier, a page at a time')
    .option('--limit <number>', 'groups of a page at most', parseLimit, PAGE)
    .option('--after <id>', 'the page after that identifier')
    .operation(list);
  group
    .command('delete <id>')
    .description('delete a group and its memberships for ever; its users stay')
    .recorded('group.delete', remove);
  group
    .command('export <id>')
    .description('everything that is kept of a group, with who belongs to it, as JSON')
    .operation(exportOne);
}

async function show(session: Session, id: string): Promise<void> {
  const group = await load(session, id);
  const members = await countMembers(session, id);
  const { identifier, properties, createdAt, updatedAt } = group;
  const document = {
    identifier,
    properties: new RawJson(properties),
    members,
    createdAt,
    updatedAt,
  };
  const times = `identified ${createdAt.toISOString()}, last ${updatedAt.toISOString()}`;
  session.print(
    document,
    [identifier, times, `properties ${properties}`, describeMembers(members)].join('\n'),
  );
}

async function list(session: Session, page: { limit: number; after?: string }): Promise<void> {
  const { listGroups } = await import('@waymark/domain/records');
  const { dataSource, environmentId } = await session.openEnvironment();
  const groups = await listGroups(dataSource, environmentId, page);
  session.printOf({ groups }, session.table(groups, 'there are no groups'));
  if (groups.length === page.limit)
    session.note(`there may be more: --after ${JSON.stringify(groups.at(-1)!.identifier)}`);
}

async function remove(session: Session, id: string): Promise<void> {
  const { deleteGroup } = await import('@waymark/domain/records');
  const { dataSource, environmentId } = await session.openEnvironment();
  let counted = {};
  await session.confirm(async () => {
    await load(session, id);
    const total = await countMembers(session, id);
    counted = { total };
    return `This deletes group ${JSON.stringify(id)} of ${session.environment}, to which ${describeMembers(total)}, for ever; the users stay.`;
  });
  const progress = new Progress(session, 'memberships');
  const onProgress = (done: number, share: number) => progress.show({ done, share, ...counted });
  const options = { onProgress, signal: session.signal };
  const deleted = await progress.during(
    deleteGroup(dataSource, environmentId, id, options, session.author),
  );
  session.printOf(
    deleted,
    `deleted: group ${id} of ${session.environment}, ${inDigits(deleted.memberships)} membership(s)`,
  );
}

/** Members in pieces: there may be more than memory has room for. */
async function exportOne(session: Session, id: string): Promise<void> {
  const { loadMembers } = await import('@waymark/domain/records');
  const { identifier, properties, createdAt, updatedAt } = await load(session, id);
  const { dataSource, environmentId } = await session.openEnvironment();
  const { environment } = session;
  const head = JSON.stringify({ identifier, environment, createdAt, updatedAt }).slice(0, -1);
  await writePiece(`${head},"properties":${properties},"members":[`);
  let comma = '';
  for await (const members of loadMembers(dataSource, environmentId, id)) {
    await writePiece(comma + members.map((member) => JSON.stringify(member)).join(',\n'));
    comma = ',\n';
  }
  await writePiece(']}\n');
}

async function load(session: Session, id: string): Promise<GroupView> {
  const { loadGroup } = await import('@waymark/domain/records');
  const { dataSource, environmentId } = await session.openEnvironment();
  return loadGroup(dataSource, environmentId, id);
}

async function countMembers(session: Session, id: string): Promise<number> {
  const { loadMembers } = await import('@waymark/domain/records');
  const { dataSource, environmentId } = await session.openEnvironment();
  const progress = new Progress(session, 'members found');
  let count = 0;
  const onProgress = (share: number) => progress.show({ done: count, share });
  const look = async () => {
    for await (const members of loadMembers(dataSource, environmentId, id, { onProgress }))
      count += members.length;
  };
  await progress.during(look());
  return count;
}

const describeMembers = (count: number): string =>
  `${inDigits(count)} ${count === 1 ? 'user belongs' : 'users belong'}`;
