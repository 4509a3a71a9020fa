import type { DataSource } from 'typeorm';
import {
  compile,
  type CompiledFlow,
  describeDates,
  type FlowDefinition,
  type MigrationStrategy,
} from '../../engine/index.js';
import { diffFlows } from '../../flow-files/index.js';
import {
  BlockUid,
  doesReleaseByPin,
  findPin,
  FlowVersion,
  loadFlowVersion,
  loadLatestIn,
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
  /** Differences call blocks by their titles instead of their identifiers (T16). */
  readonly titles?: boolean;
}

/**
 * What committing these definitions would do to the users of an environment (I2): the real engine,
 * run on the state of each in the highest commit that they met. Writes nothing and reads page by
 * page (I3). Throws the signal's reason.
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
  { strategies, entries = false, sample = Infinity, examples = 0, titles }: PlanInput,
  options: PlanOptions,
): Promise<Plan[]> {
  const { planned, differs, last, present, pinned, releasesByPin, names } = subject;
  const { flow, version, compiled } = planned;
  const nameOf = (uid: string): string =>
    compiled.byUid.get(uid)?.id ?? last?.compiled.byUid.get(uid)?.id ?? names.get(uid) ?? uid;
  const scenarios = strategies.map((strategy) => ({
    planned: { ...planned, strategy },
    tally: new PlanTally(nameOf, examples, changedDelays(compiled, last?.compiled)),
  }));
  const versions = Array.from({ length: subject.upTo }, (_, index) => index + 1);
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
      ...(releasesByPin && { releasesByPin }),
      differences: last ? diffFlows(last.compiled.definition, compiled.definition, { titles }) : [],
      users: result.users,
      effects: result.effects,
      ...(entries && { entries: result.entries }),
      ...(looked.isCut && { sampled: sampleOf(looked.users) }),
      examples: result.examples,
      notes: notesOf(subject, result.users),
    };
  });
}

/**
 * What releasing a version that is committed would do to the users of an environment (Z10): as
 * `planFlows`, beside what `latest` is there now. Throws `flow.unknown` and `version.unknown`.
 */
export async function planRelease(
  dataSource: DataSource,
  environmentId: string,
  {
    flow,
    version,
    ...bounds
  }: Pick<PlanInput, 'sample' | 'titles'> & {
    readonly flow: string;
    readonly version: number;
  },
  options: PlanOptions = {},
): Promise<Plan> {
  const { manager } = dataSource;
  const planned = resolveFlow(await loadFlowVersion(manager, flow, version));
  const { latest } = await loadLatestIn(manager, environmentId, flow);
  const present =
    latest === null ? null : resolveFlow(await loadFlowVersion(manager, flow, latest));
  const known = await manager.findBy(BlockUid, { flow });
  const subject: PlannedVersion = {
    ...{ planned, present, last: present, upTo: version },
    ...{ differs: true, pinned: null, releasesByPin: false },
    names: new Map(known.map(({ uid, identifier }) => [uid, identifier])),
  };
  const triggered = new Triggered(dataSource, environmentId, new Map([[flow, planned]]));
  const input = { ...bounds, definitions: [], strategies: [planned.strategy] };
  return (await planOne(dataSource, environmentId, subject, triggered, input, options))[0]!;
}

/**
 * Names of the properties that decide something; null where some condition looks at all of them.
 */
function decidingProperties(subject: PlannedVersion, entries: boolean): string[] | null {
  const flows = entries && subject.present ? [subject.planned, subject.present] : [subject.planned];
  const names = mentionedProperties(flows.flatMap((flow) => conditionsOf(flow, entries)));
  return names && [...names];
}

function conditionsOf(
  { compiled: { byUid, target, done } }: ResolvedFlow,
  entries: boolean,
): Expression[] {
  const branches = [...byUid.values()].flatMap((block) =>
    block.kind === 'branch' ? block.condition : [],
  );
  const ofBlocks = [...branches, ...done.map(({ when }) => when)];
  return entries && typeof target === 'object' ? [...ofBlocks, target] : ofBlocks;
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
  /** Whether `latest` is only what is pinned (Z10). */
  readonly releasesByPin: boolean;
  /** The highest version in which users may have a state. */
  readonly upTo: number;
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
  const releasesByPin = await doesReleaseByPin(manager, environmentId);
  const pinned = await findPin(manager, environmentId, flow);
  const latest = releasesByPin ? null : last;
  const differs = await wouldCommit(manager, definition);
  const known = await manager.findBy(BlockUid, { flow });
  const version = (last?.version ?? 0) + (differs ? 1 : 0);
  return {
    planned: { flow, version, edition: 1, strategy, compiled: compile(definition) },
    differs,
    last,
    present: pinned === null ? latest : resolveFlow(await loadFlowVersion(manager, flow, pinned)),
    ...{ pinned, releasesByPin },
    upTo: last?.version ?? 0,
    names: new Map(known.map(({ uid, identifier }) => [uid, identifier])),
  };
}

/** Delays that take another time than before. */
function changedDelays({ byUid }: CompiledFlow, before: CompiledFlow | undefined): Set<string> {
  const changed = [...byUid.values()].filter((block) => {
    const former = before?.byUid.get(block.uid);
    return block.kind === 'delay' && former?.kind === 'delay' && former.for !== block.for;
  });
  return new Set(changed.map(({ uid }) => uid));
}

/** What has to be known to read the numbers. */
function notesOf(
  { differs, planned: { compiled, version }, pinned, releasesByPin, names }: PlannedVersion,
  { dependsOnGroup }: PlannedUsers,
): string[] {
  if (!differs) return [`it does not differ from version ${version}, so a commit makes no version`];
  const asks =
    compiled.hasBranch ||
    compiled.done.length > 0 ||
    typeof compiled.target !== 'string' ||
    describeDates(compiled.definition).length > 0;
  const triggers = [...compiled.byUid.values()].some(
    (block) => block.kind === 'effect' && block.effect.kind === 'flow-trigger',
  );
  return [
    ...(pinned === null && releasesByPin
      ? ['nothing of it is released here: readers of latest get 404 before a version is pinned']
      : []),
    ...(pinned === null
      ? []
      : [
          `version ${pinned} is pinned here: readers of latest do not meet this one before ${releasesByPin ? 'it is released' : 'it is unpinned'}, and this tells what happens then`,
        ]),
    'clients that ask for a version by its number never meet this one',
    ...(asks ? ['conditions were evaluated with the present properties and time'] : []),
    ...(triggers ? ['flows that are triggered were followed one level deep'] : []),
    ...describeNewSplits(compiled, names),
    ...(dependsOnGroup > 0
      ? [
          'this is what happens to requests that name no group; for users of several groups it may depend on the one that is named',
        ]
      : []),
  ];
}

/** Who goes which way is decided by the uid, which a split gets when it is applied (K2). */
function describeNewSplits({ byUid }: CompiledFlow, names: PlannedVersion['names']): string[] {
  return [...byUid.values()].flatMap((block) => {
    if (block.kind !== 'split' || names.has(block.uid)) return [];
    const shares = block.ways.map(({ name, share }) => `${name} ${share}`).join(', ');
    return [
      `split ${block.id} is new: it sends people by its shares (${shares}), and who goes which way is decided when it is applied`,
    ];
  });
}
