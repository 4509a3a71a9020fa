import type { DataSource } from 'typeorm';
import type { CompiledFlow, FlowDefinition, MigrationStrategy } from '../../engine/index.js';
import { diffFlows } from '../../flow-files/index.js';
import { type Expression, mentionedProperties } from '../../targeting/index.js';
import { loadNow } from '../pages/load-contexts.js';
import { sampleOf } from '../pages/sample.js';
import { lookAhead, type PlanOptions } from './look-ahead.js';
import { notesOf } from './notes.js';
import type { Plan } from './plan.js';
import { loadSubject, type PlanSubject } from './plan-subject.js';
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
  const subjects = await Promise.all(input.definitions.map((definition) => loadSubject(dataSource, environmentId, definition)));
  const [strategy = 'carry-over'] = input.strategies;
  const together = new Map(subjects.map((subject) => [subject.compiled.definition.flow, { ...subject, strategy }]));
  const triggered = new Triggered(dataSource, environmentId, together);
  const plans: Plan[] = [];
  for (const subject of subjects) plans.push(...(await planOne(dataSource, environmentId, subject, triggered, input, options)));
  return plans;
}

async function planOne(
  dataSource: DataSource,
  environmentId: string,
  subject: PlanSubject,
  triggered: Triggered,
  { strategies, entries = false, sample = Infinity, examples = 0 }: PlanInput,
  options: PlanOptions,
): Promise<Plan[]> {
  const { compiled, version, differs, last, present, pinned, names } = subject;
  const nameOf = (uid: string): string =>
    compiled.byUid.get(uid)?.id ?? last?.compiled.byUid.get(uid)?.id ?? names.get(uid) ?? uid;
  const prospects = strategies.map((strategy) => ({
    meeting: { version, compiled, strategy },
    tally: new PlanTally(nameOf, examples),
  }));
  const scope = {
    environmentId,
    flow: compiled.definition.flow,
    latest: last?.version ?? null,
    properties: decidingProperties(subject, entries),
  };
  const now = await loadNow(dataSource);
  const looked = differs
    ? await lookAhead({ dataSource, scope, prospects, present, triggered, now, entries, sample }, options)
    : { users: 0, isCut: false };
  return prospects.map(({ meeting, tally }) => {
    const result = tally.result();
    return {
      flow: scope.flow,
      version,
      migration: meeting.strategy,
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
function decidingProperties(subject: PlanSubject, entries: boolean): string[] | null {
  const flows = entries && subject.present ? [subject.compiled, subject.present.compiled] : [subject.compiled];
  const names = mentionedProperties(flows.flatMap((flow) => conditionsOf(flow, entries)));
  return names && [...names];
}

function conditionsOf({ byUid, target }: CompiledFlow, entries: boolean): Expression[] {
  const branches = [...byUid.values()].flatMap((block) => (block.kind === 'branch' ? block.condition : []));
  return entries && typeof target === 'object' ? [...branches, target] : branches;
}
