import { afterAll, beforeAll, expect } from '@jest/globals';
import { branch, card, checklist, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { onOneServer } from '@waymark/testing/postgres';
import { Database, type RunStatement } from '../../database/index.js';
import type { Statement } from '../../database/statement.js';
import { Identify } from '../../users/index.js';
import type { CommandOrRead } from './advance.js';
import { RunCommand } from './run-command.js';

/** Remembers by name what it is asked to run. */
class RecordingDatabase extends Database {
  readonly names: string[] = [];

  override run<Row extends object>(statement: Statement, values: readonly unknown[]) {
    this.names.push(statement.name);
    return super.run<Row>(statement, values);
  }

  override transaction(work: (run: RunStatement) => Promise<boolean>) {
    return super.transaction((run) =>
      work((statement, values) => {
        this.names.push(statement.name);
        return run(statement, values);
      }),
    );
  }
}

const PLAIN = defineFlow({
  flow: 'plain',
  blocks: {
    list: checklist(['list-a', 'list-b'], { complete: 'bye' }),
    bye: card(),
  },
});
const TARGETED = defineFlow({
  flow: 'targeted',
  target: { users: 'matching', when: 'user.properties.plan == "pro"' },
  blocks: {
    hello: card({ complete: 'fork' }),
    fork: branch('user.properties.admin', { true: 'yes', false: 'no' }),
    yes: card(),
    no: card(),
  },
});

const onlyHere = onOneServer('tables that are distributed are asked by other statements');

let fixture: Fixture;
let database: RecordingDatabase;
let runner: RunCommand;
let identify: Identify;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const flow of [PLAIN, TARGETED]) await fixture.commit(flow);
  database = new RecordingDatabase(fixture.dataSource);
  runner = new RunCommand(database, fixture.catalogue, fixture.changes);
  identify = new Identify(database);
  // Asked once in the life of a process.
  await database.isDistributed();
});
afterAll(() => fixture.close());

const READ = { kind: 'read', starts: true } as const;
const BLOCK = { kind: 'read', starts: false } as const;
const take = (block: string, name = 'complete'): CommandOrRead => ({
  kind: 'transition',
  block: `u-${block}`,
  names: [name],
});
const actor = () => ({ environmentId: fixture.environmentId, user: 'ada' });

async function namesOf(work: () => Promise<unknown>): Promise<string[]> {
  database.names.length = 0;
  await work();
  return [...database.names];
}

async function namesOfEach(flow: string, all: readonly CommandOrRead[]): Promise<string[]> {
  const resolved = await fixture.catalogue.getFlow(flow, 1);
  const names: string[] = [];
  for (const asked of all)
    names.push((await namesOf(() => runner.run(resolved, actor(), asked))).join(', '));
  return names;
}

onlyHere(
  'flows without done, delays or splits, and an identify, run the statements that they ran before there were any (Z1, Z4, K1, P5, P7)',
  async () => {
    const users = [{ identifier: 'ada', properties: '{"plan":"pro"}', where: '' }];
    const { environmentId } = fixture;
    const flows = ['plain', 'targeted'];
    const resolved = await Promise.all(flows.map((flow) => fixture.catalogue.getFlow(flow, 1)));
    expect({
      identify: await namesOf(() =>
        identify.run({ environmentId, users, groups: [], memberships: [] }),
      ),
      plain: await namesOfEach('plain', [
        READ,
        READ,
        BLOCK,
        take('list-a'),
        take('list-b', 'skip'),
        take('bye'),
        { kind: 'reset', force: false },
      ]),
      targeted: await namesOfEach('targeted', [READ, READ, BLOCK, take('hello'), { kind: 'stop' }]),
      list: await namesOf(() => runner.readAll(resolved, actor())),
    }).toEqual({
      identify: ['identify_users'],
      plain: [
        'load_flow_states_seeing_nothing, insert_flow_state',
        ...Array.from({ length: 2 }, () => 'load_flow_states_seeing_nothing'),
        ...Array.from({ length: 4 }, () => 'load_flow_states_seeing_nothing, update_flow_state'),
      ],
      targeted: [
        'load_flow_states_seeing_user, insert_flow_state',
        ...Array.from({ length: 2 }, () => 'load_flow_states_seeing_user'),
        ...Array.from({ length: 2 }, () => 'load_flow_states_seeing_user, update_flow_state'),
      ],
      list: ['load_flow_states_of_user_seeing_user'],
    });
  },
);
