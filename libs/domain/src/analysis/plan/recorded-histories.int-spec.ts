import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import { parseFlowFile } from '@waymark/domain/flow-files';
import {
  assignDraftUids,
  loadFlowVersion,
  pinFlow,
  revertFlow,
  unpinFlow,
} from '@waymark/domain/flows';
import type { Json } from '@waymark/domain/targeting';
import { Fixture } from '@waymark/testing/fixture';
import { parse } from 'yaml';
import { explainUser, planFlows } from '../index.js';

const FOLDER = new URL('./histories/', import.meta.url);
const BY = { by: 'ann' };

/** What happened to a flow and its users, and what plans said before. */
interface History {
  title: string;
  /**
   * Flow files by what they are called here. The first is the flow that it is about, unless a step
   * is about another.
   */
  versions: Record<string, string>;
  properties?: Record<string, Record<string, Json>>;
  history: Happening[];
}

interface Happening {
  /** Names one of the files; `draft` is what version 0 is. */
  commit?: string;
  apply?: string;
  plan?: string;
  migration?: MigrationStrategy;
  expect?: { entries?: object };
  /** What each does, in order: `read`, `reset`, `stop`, `BLOCK:NAME`, or `FLOW/read`. */
  users?: Record<string, string[]>;
  /** Active blocks of users after they read the flow, which explain had predicted. */
  where?: Record<string, string[]>;
  pin?: number;
  unpin?: string;
  revert?: number;
}

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.close());

test.each(readdirSync(FOLDER))(
  'what plans said of a recorded history is what happened: %s (I2, I1)',
  async (file) => {
    const recorded = parse(readFileSync(new URL(file, FOLDER), 'utf8')) as History;
    const flow = /^flow: (\S+)/.exec(Object.values(recorded.versions)[0]!)![1]!;
    const happened = recorded.history.flatMap(({ users = {}, where = {} }) => [
      ...Object.keys(users),
      ...Object.keys(where),
    ]);
    for (const user of new Set(happened)) await fixture.identify(user, recorded.properties?.[user]);
    for (const happening of recorded.history) await happen(recorded, flow, happening);
  },
);

async function happen({ versions }: History, flow: string, happening: Happening): Promise<void> {
  const {
    commit,
    apply,
    plan,
    migration = 'carry-over',
    users = {},
    where = {},
    pin,
    unpin,
    revert,
  } = happening;
  const { dataSource, environmentId } = fixture;
  const define = (name: string) =>
    name === 'draft' ? loadDraft(flow) : readVersion(versions[name]!);
  if (commit !== undefined) await fixture.commit(await define(commit), migration);
  if (apply !== undefined) await fixture.apply(await define(apply));
  if (plan !== undefined) await expectPlan(await define(plan), migration, happening);
  if (pin !== undefined) await pinFlow(dataSource, environmentId, flow, pin, BY);
  if (unpin !== undefined) await unpinFlow(dataSource, environmentId, unpin, BY);
  if (revert !== undefined) await revertFlow(dataSource, flow, revert, BY);
  await fixture.catalogue.refresh();
  for (const [user, steps] of Object.entries(users))
    for (const one of steps) await act(user, flow, one);
  for (const [user, blocks] of Object.entries(where)) await expectWhere(user, flow, blocks);
}

const loadDraft = async (flow: string): Promise<FlowDefinition> =>
  (await loadFlowVersion(fixture.dataSource.manager, flow, 0)).definition;

async function readVersion(text: string): Promise<FlowDefinition> {
  const { draft, problems } = parseFlowFile(text, { file: 'flow.yaml' });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return assignDraftUids(fixture.dataSource.manager, draft!);
}

async function expectPlan(
  definition: FlowDefinition,
  migration: MigrationStrategy,
  { expect: expected }: Happening,
) {
  const input = {
    definitions: [definition],
    strategies: [migration],
    entries: expected?.entries !== undefined,
  };
  const [found] = await planFlows(fixture.dataSource, fixture.environmentId, input);
  expect(found).toMatchObject({
    ...expected,
    ...('notes' in expected! && { notes: expect.arrayContaining(expected.notes as []) }),
  });
}

async function act(user: string, flow: string, what: string): Promise<void> {
  const [block, name] = what.split(':');
  const [verb, of = flow] = what.split('/').reverse();
  if (name !== undefined) await fixture.take(user, flow, 'latest', block!, [name]);
  else if (verb === 'read') await fixture.read(user, of);
  else
    await fixture.run(
      user,
      flow,
      'latest',
      verb === 'reset' ? { kind: 'reset', force: true } : { kind: 'stop' },
    );
}

/** Explaining tells of the state before a read starts anything. */
async function expectWhere(user: string, flow: string, blocks: string[]): Promise<void> {
  const told = await explainUser(fixture.dataSource, fixture.environmentId, { user, flow });
  const { state } = await fixture.read(user, flow);
  const { compiled } = await fixture.catalogue.getFlow(flow, 'latest', fixture.environmentId);
  const active = Object.keys(state.blocks).filter((uid) => state.blocks[uid]!.active);
  expect([user, active.map((uid) => compiled.byUid.get(uid)!.id).sort()]).toEqual([
    user,
    [...blocks].sort(),
  ]);
  if (!told.wouldStart)
    expect(told.active.map(({ block }) => block).sort()).toEqual([...blocks].sort());
}
