import type { DataSource } from 'typeorm';
import {
  compile,
  describeDates,
  type FlowDefinition,
  type MigrationStrategy,
} from '../../engine/index.js';
import { diffFlows } from '../../flow-files/index.js';
import {
  BlockUid,
  findPin,
  FlowVersion,
  loadFlowVersion,
  type ResolvedFlow,
  resolveFlow,
  wouldCommit,
} from '../../flows/index.js';
import { type Expression, mentionedProperties } from '../../targeting/index.js';
import { loadNow } from '../reader/load-contexts.js';
import { sampleOf } from '../reader/read-pages.js';
import { evaluateUsers, type PlanOptions } from './evaluate-users.js';
import type { Plan, PlannedUsers } from './plan.js';
import { PlanTally } from './plan-tally.js';
import { Triggered } from './triggered.js';

export interface PlanInput {
  /** As applying would store them; `assignDraftUids` makes them of files. */
  readonly definitions: readonly FlowDefinition[];
  /** One plan for each. */
  readonly strategies: readonly MigrationStrategy[];
  /** Look at every user of the environment, for who would enter. */
  readonly entries?: boolean;
  /** Look at that many users of each flow at most. */
  readonly sample?: number;
  /** Name that many users at most for each thing that happens. */
  readonly examples?: number;
}

/**
 * What committing these definitions would do to the users of an environment (I2): the real engine, run on the state of
 * each in the highest commit that they met. Writes nothing and reads page by page (I3). Throws the signal's reason.
 */
export async function planFlows(
  dataSource: DataSource,
  environmentId: string,
  input: PlanInput,
  options: PlanOptions = {},
): Promise<Plan[]> {
  const [strategy = 'carry-over'] = input.strategies;
  const subjects = await Promise.all(
    input.definitions.map((definition) =>
      loadPlannedVersion(dataSource, environmentId, definition, strategy),
    ),
  );
  const together = new Map(subjects.map(({ planned }) => [planned.flow, planned]));
  const triggered = new Triggered(dataSource, environmentId, together);
  const plans: Plan[] = [];
  for (const subject of subjects)
    plans.push(...(await planOne(dataSource, environmentId, subject, triggered, input, options)));
  return plans;
}

async function planOne(
  dataSource: DataSource,
  environmentId: string,
  subject: PlannedVersion,
  triggered: Triggered,
  { strategies, entries = false, sample = Infinity, examples = 0 }: PlanInput,
  options: PlanOptions,
): Promise<Plan[]> {
  const { planned, differs, last, present, pinned, names } = subject;
  const { flow, version, compiled } = planned;
  const nameOf = (uid: string): string =>
    compiled.byUid.get(uid)?.id ?? last?.compiled.byUid.get(uid)?.id ?? names.get(uid) ?? uid;
  const scenarios = strategies.map((strategy) => ({
    planned: { ...planned, strategy },
    tally: new PlanTally(nameOf, examples),
  }));
  const versions = Array.from({ length: last?.version ?? 0 }, (_, index) => index + 1);
  const scope = { environmentId, flow, versions };
  const properties = decidingProperties(subject, entries);
  const now = await loadNow(dataSource);
  const looked = differs
    ? await evaluateUsers(
        { dataSource, scope, properties, scenarios, present, triggered, now, entries, sample },
        options,
      )
    : { users: 0, isCut: false };
  return scenarios.map(({ planned: { strategy }, tally }) => {
    const result = tally.result();
    return {
      flow,
      version,
      migration: strategy,
      differs,
      ...(pinned !== null && { pinned }),
      differences: last ? diffFlows(last.compiled.definition, compiled.definition) : [],
      users: result.users,
      effects: result.effects,
      ...(entries && { entries: result.entries }),
      ...(looked.isCut && { sampled: sampleOf(looked.users) }),
      examples: result.examples,
      notes: notesOf(subject, result.users),
    };
  });
}

/** Names of the properties that decide something; null where some condition looks at all of them. */
function decidingProperties(subject: PlannedVersion, entries: boolean): string[] | null {
  const flows = entries && subject.present ? [subject.planned, subject.present] : [subject.planned];
  const names = mentionedProperties(flows.flatMap((flow) => conditionsOf(flow, entries)));
  return names && [...names];
}

function conditionsOf(
  { compiled: { byUid, target } }: ResolvedFlow,
  entries: boolean,
): Expression[] {
  const branches = [...byUid.values()].flatMap((block) =>
    block.kind === 'branch' ? block.condition : [],
  );
  return entries && typeof target === 'object' ? [...branches, target] : branches;
}

/** A definition that may become a version, beside what there is. */
interface PlannedVersion {
  /** With the first of the strategies. */
  readonly planned: ResolvedFlow;
  readonly differs: boolean;
  /** The highest commit; null before the first. */
  readonly last: ResolvedFlow | null;
  /** What `latest` is now: the last, unless the environment pins another (S34). */
  readonly present: ResolvedFlow | null;
  readonly pinned: number | null;
  /** Identifiers by uid, of every block that the flow ever had. */
  readonly names: ReadonlyMap<string, string>;
}

/** Looks up what a definition is compared with; a flow that nobody knows yet is fine. */
async function loadPlannedVersion(
  { manager }: DataSource,
  environmentId: string,
  definition: FlowDefinition,
  strategy: MigrationStrategy,
): Promise<PlannedVersion> {
  const { flow } = definition;
  const highest = await manager.findOne(FlowVersion, {
    where: { flow },
    order: { version: 'DESC' },
  });
  const last = highest && highest.version > 0 ? resolveFlow(highest) : null;
  const pinned = await findPin(manager, environmentId, flow);
  const differs = await wouldCommit(manager, definition);
  const known = await manager.findBy(BlockUid, { flow });
  const version = (last?.version ?? 0) + (differs ? 1 : 0);
  return {
    planned: { flow, version, edition: 1, strategy, compiled: compile(definition) },
    differs,
    last,
    present: pinned === null ? last : resolveFlow(await loadFlowVersion(manager, flow, pinned)),
    pinned,
    names: new Map(known.map(({ uid, identifier }) => [uid, identifier])),
  };
}

/** What has to be known to read the numbers. */
function notesOf(
  { differs, planned: { compiled, version }, pinned }: PlannedVersion,
  { dependsOnGroup }: PlannedUsers,
): string[] {
  if (!differs) return [`it does not differ from version ${version}, so a commit makes no version`];
  const asks =
    compiled.hasBranch ||
    typeof compiled.target !== 'string' ||
    describeDates(compiled.definition).length > 0;
  const triggers = [...compiled.byUid.values()].some(
    (block) => block.kind === 'effect' && block.effect.kind === 'flow-trigger',
  );
  return [
    ...(pinned === null
      ? []
      : [
          `version ${pinned} is pinned here: readers of latest do not meet this one before it is unpinned, and this tells what happens then`,
        ]),
    'clients that ask for a version by its number never meet this one',
    ...(asks ? ['conditions were evaluated with the present properties and time'] : []),
    ...(triggers ? ['flows that are triggered were followed one level deep'] : []),
    ...(dependsOnGroup > 0
      ? [
          'what happens is told for requests that name no group; for users of several groups it may depend on the one that is named',
        ]
      : []),
  ];
}
