import type { Database } from '../../database/database.js';
import { type AttentionChange, findAttentionChange } from '../../engine/index.js';
import type { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';
import { attentionOf, type ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import {
  type AttentionSnapshot,
  type AttentionWrite,
  findFlowWait,
  loadAttention,
  makeRow,
  attentionAfter,
} from '../attention/attention-snapshot.js';
import type { Found, StoredState } from '../read/flow-state-reader.js';
import { type Decision, decide, decideToWait, type Run, WITHOUT_START } from './decide.js';

/**
 * Lets a flow wait that would start by itself against the rules of its group, and notes what a
 * command begins or ends there (Q2). It reads the row of the group only where a decision begins or
 * ends something.
 */
export class Attention {
  constructor(
    private readonly database: Database,
    private readonly catalogue: FlowCatalogue,
  ) {}

  /**
   * The decision on a flow without a state that was read with the history of its group, and has to
   * wait: without computing the start that it may not make, of which a list may have many (P19).
   * Null where `consider` has to say.
   */
  hold(run: Run, flow: ResolvedFlow, found: Found): Decision | null {
    const { asked, attention, histories } = run;
    if (found.stored || asked.kind !== 'read' || !asked.starts) return null;
    const { group } = attentionOf(flow)!;
    const history = attention?.get(group) ?? histories?.get(group);
    const wait = history && findFlowWait(history, flow.flow, this.catalogue.attentionRules(group));
    return wait ? decideToWait(run, flow, found, wait) : null;
  }

  /**
   * The decision itself, or the one that follows where the flow has to wait; with what is written
   * of the group.
   */
  async consider(
    run: Run,
    flow: ResolvedFlow,
    found: Found,
    decision: Decision,
  ): Promise<Decision> {
    const group = attentionOf(flow)?.group;
    const { next } = decision;
    if (group === undefined || !next) return decision;
    const change = findAttentionChange(before(flow, found.stored), next.events);
    if (!change) return decision;
    const snapshot = await this.attentionFor(run, flow, group);
    if (!snapshot) return { ...decision, next: { ...next, attention: nowhere(group) } };
    const wait =
      startsByItself(run, decision) &&
      findFlowWait(snapshot, flow.flow, this.catalogue.attentionRules(group));
    if (!wait) return (await this.note(run, flow, snapshot, change, decision)) ?? decision;
    const held = decide({ ...run, asked: WITHOUT_START }, flow, found);
    const { result, ...rest } = await this.consider(run, flow, found, held);
    return { ...rest, result: { ...result, waits: wait } };
  }

  private async attentionFor(
    run: Run,
    { flow }: ResolvedFlow,
    group: string,
  ): Promise<AttentionSnapshot | null> {
    const known = run.attention?.get(group);
    if (known) return known;
    const names = run.flows ?? [flow];
    const snapshot = await loadAttention(this.database, run.owner.userId, group, names);
    if (snapshot) remember(run, snapshot);
    return snapshot;
  }

  /** Nothing of a lower version than the highest that the user has met (Q2). */
  private async note(
    run: Run,
    { flow, version }: ResolvedFlow,
    snapshot: AttentionSnapshot,
    change: AttentionChange,
    decision: Decision,
  ): Promise<Decision | null> {
    if ((snapshot.highest.get(flow) ?? 0) > version) return null;
    const { group, revision } = snapshot;
    if (revision === null) await makeRow(this.database, run.owner.userId, group);
    const after = attentionAfter(snapshot, flow, version, change);
    const attention = { group, revision: revision ?? 0, record: after.record };
    // Only if it is written; a lost race forgets it.
    remember(run, after);
    return { ...decision, next: { ...decision.next!, attention } };
  }
}

function remember(run: Run, snapshot: AttentionSnapshot): void {
  run.attention ??= new Map();
  run.attention.set(snapshot.group, snapshot);
}

/**
 * For a user who has been deleted since: nothing is written, and everything starts over, for they
 * may be back by then, and whatever started without a look at the group would not be noted there.
 */
const nowhere = (group: string): AttentionWrite => ({
  group,
  revision: -1,
  record: { places: {}, starts: [], ended: null },
});

const before = (flow: ResolvedFlow, stored: StoredState | null) =>
  stored && { state: stored.state, isSameVersion: stored.version === flow.version };

/** Whether a read starts the flow; what was done by itself may follow in the same write (Z1). */
const startsByItself = ({ asked }: Run, { next }: Decision): boolean =>
  asked.kind === 'read' &&
  asked.starts &&
  next?.events.some(({ cause }) => cause.kind === 'start') === true;
