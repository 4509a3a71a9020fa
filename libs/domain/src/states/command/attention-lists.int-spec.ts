import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineFlow, modal } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { cases, fc } from '@waymark/testing/properties';
import type { AttentionRules, FlowDefinition } from '../../engine/index.js';
import { applySharedFile, ATTENTION_FILE, type ResolvedFlow } from '../../flows/index.js';

const DAY = 86_400_000;
const RULES: Record<string, AttentionRules> = {
  morning: { atOnce: 1, limit: { starts: 3, per: DAY } },
  evening: { atOnce: 2, pause: DAY },
};
/** Group and priority of each flow; one takes no turns. */
const FLOWS: Record<string, readonly [group: string, priority: number] | null> = {
  tea: ['morning', 0],
  news: ['morning', 10],
  mail: ['morning', 10],
  walk: ['evening', 5],
  film: ['evening', 0],
  book: ['evening', 20],
  free: null,
};
const NAMES = Object.keys(FLOWS);

type Phase = 'never' | 'running' | 'ended';

/** What the document says of a list, written plainly: no revisions, no rows, no times but `now` and before. */
class PlainUser {
  private readonly phases = new Map<string, Phase>();
  private starts = new Map<string, number>();
  private ended = new Set<string>();

  phase(flow: string): Phase {
    return this.phases.get(flow) ?? 'never';
  }

  /** The rule for which each flow of the list waits, where it does; the others are in it now or were (Q5). */
  readList(list: readonly string[]): (string | undefined)[] {
    const priority = (flow: string) => FLOWS[flow]?.[1] ?? 0;
    const waits = new Map<string, string>();
    for (const flow of [...list].sort((a, b) => priority(b) - priority(a))) {
      const rule = this.phase(flow) === 'never' ? this.heldBy(flow) : undefined;
      if (rule) waits.set(flow, rule);
      else if (this.phase(flow) === 'never') this.begin(flow);
    }
    return list.map((flow) => waits.get(flow));
  }

  begin(flow: string): void {
    if (this.phase(flow) === 'running') return;
    this.phases.set(flow, 'running');
    const [group] = FLOWS[flow] ?? [];
    if (group) this.starts.set(group, (this.starts.get(group) ?? 0) + 1);
  }

  end(flow: string): void {
    if (this.phase(flow) === 'running') this.ended.add(FLOWS[flow]?.[0] ?? '');
    this.phases.set(flow, 'ended');
  }

  letDaysPass(): void {
    this.starts = new Map();
    this.ended = new Set();
  }

  private heldBy(flow: string): string | undefined {
    const [group] = FLOWS[flow] ?? [];
    if (!group) return undefined;
    const { atOnce = Infinity, limit, pause } = RULES[group]!;
    const others = NAMES.filter((name) => FLOWS[name]?.[0] === group && name !== flow);
    if (others.filter((name) => this.phase(name) === 'running').length >= atOnce) return 'at-once';
    if (limit && (this.starts.get(group) ?? 0) >= limit.starts) return 'limit';
    return pause !== undefined && this.ended.has(group) ? 'pause' : undefined;
  }
}

let fixture: Fixture;
let flows: Map<string, ResolvedFlow>;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const [flow, turn] of Object.entries(FLOWS)) await fixture.commit(definition(flow, turn));
  await applySharedFile(fixture.dataSource, ATTENTION_FILE, new Map(Object.entries(RULES)), {
    by: 'test',
  });
  await fixture.catalogue.refresh();
  flows = new Map(
    await Promise.all(
      NAMES.map(
        async (flow) =>
          [flow, await fixture.catalogue.getFlow(flow, 'latest', fixture.environmentId)] as const,
      ),
    ),
  );
});
afterAll(() => fixture.close());

const definition = (flow: string, turn: (typeof FLOWS)[string]): FlowDefinition => ({
  ...defineFlow({ flow, blocks: { [`hello-${flow}`]: modal({ complete: 'finish' }) } }),
  ...(turn && { format: 2, attention: { group: turn[0], priority: turn[1] } }),
});

type Act =
  | { readonly kind: 'list'; readonly flows: readonly string[] }
  | { readonly kind: 'finish' | 'reset' | 'start'; readonly flow: string }
  | { readonly kind: 'days' };

const flow = fc.constantFrom(...NAMES);
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .shuffledSubarray(NAMES, { minLength: 1 })
        .map((some): Act => ({ kind: 'list', flows: some })),
    },
    { weight: 3, arbitrary: flow.map((name): Act => ({ kind: 'finish', flow: name })) },
    { weight: 1, arbitrary: flow.map((name): Act => ({ kind: 'reset', flow: name })) },
    { weight: 1, arbitrary: flow.map((name): Act => ({ kind: 'start', flow: name })) },
    { weight: 1, arbitrary: fc.constant<Act>({ kind: 'days' }) },
  ),
  { minLength: 4, maxLength: 16 },
);

let users = 0;
test('a list starts and holds back what a plain model of its rules says, by priority (Q3, Q5)', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const user = `reader-${++users}`;
      await fixture.identify(user);
      const model = new PlainUser();
      for (const act of all) {
        if (act.kind === 'days') {
          await letDaysPass(user);
          model.letDaysPass();
        } else if (act.kind === 'list') {
          const read = await readList(user, act.flows);
          const waits = model.readList(act.flows);
          expect(read).toEqual(
            act.flows.map((name, index) => [name, model.phase(name), waits[index]]),
          );
        } else if (act.kind === 'finish') {
          await fixture.run(user, act.flow, 'latest', { kind: 'finish' });
          model.end(act.flow);
        } else {
          await fixture.run(user, act.flow, 'latest', { kind: act.kind, force: true });
          if (act.kind === 'reset' || model.phase(act.flow) === 'never') model.begin(act.flow);
        }
      }
    }),
    { numRuns: cases(60) },
  );
});

async function readList(user: string, names: readonly string[]) {
  const actor = { environmentId: fixture.environmentId, user };
  const results = await fixture.runner.readAll(
    names.map((name) => flows.get(name)!),
    actor,
  );
  return results.map((result) => {
    const { started, stopped, finished } = result!.state;
    const phase: Phase = stopped || finished ? 'ended' : started ? 'running' : 'never';
    return [result!.flow.flow, phase, result!.waits?.rule];
  });
}

/** As if everything that is noted of the user had happened two days earlier. */
async function letDaysPass(user: string): Promise<void> {
  await fixture.dataSource.query(
    `UPDATE attention_states SET ended_at = ended_at - interval '2 days',
       starts = (SELECT coalesce(jsonb_agg(s::float8 - $2), '[]') FROM jsonb_array_elements_text(starts) s)
     WHERE user_id = (SELECT user_id FROM users WHERE environment_id = $3 AND identifier = $1)`,
    [user, 2 * DAY, fixture.environmentId],
  );
}
