import type { Database } from '../../database/database.js';
import type { Effect, FlowEvent, FlowState } from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import type { EventOrigin } from '../state/flow-event-row.js';
import { WRITE_STATE } from './write-statements.js';
import type { RequestTrace } from '../state/request-trace.js';

/** What one command leads to: written whole or not at all. */
export interface NextState {
  /** 0 where there was no state in this version. */
  readonly revisionBefore: number;
  readonly state: FlowState;
  readonly recentKeys: readonly string[];
  /** At least one; each raises the revision by one (S6). */
  readonly events: readonly FlowEvent[];
  readonly effects: readonly { readonly revision: number; readonly effect: Effect }[];
}

/** Who a state belongs to, and what the causing request passes on to events and effects (S19, E5). */
export interface StateOwner {
  readonly userId: string;
  readonly groupId: string | null;
  readonly groupIdentifier: string | null;
  readonly idempotencyKey: string | null;
  readonly origin: EventOrigin;
  readonly chain: number;
  /** Null where no request is known. */
  readonly trace: RequestTrace | null;
}

/** Writes the next state of a command in one statement and one commit. */
export class FlowStateStore {
  constructor(private readonly database: Database) {}

  /** False when the state is no longer the one that was read, or the user is gone; then nothing was written. */
  async write(owner: StateOwner, { flow, version, edition }: ResolvedFlow, next: NextState): Promise<boolean> {
    const { revisionBefore, events, effects } = next;
    const values: unknown[] = [owner.userId, flow, version, revisionBefore, revisionBefore + events.length, edition];
    values.push(JSON.stringify(next.state), next.recentKeys, events.map(toText), owner.idempotencyKey);
    values.push(owner.groupIdentifier, owner.origin);
    if (effects.length > 0) values.push(...effectColumns(effects), owner.chain, owner.trace && JSON.stringify(owner.trace));
    const [row] = await this.database.run<{ written: number }>(statementFor(next), values);
    return row?.written === 1;
  }
}

function statementFor({ revisionBefore, effects }: NextState) {
  if (revisionBefore === 0) return effects.length > 0 ? WRITE_STATE.insertWithEffects : WRITE_STATE.insert;
  return effects.length > 0 ? WRITE_STATE.updateWithEffects : WRITE_STATE.update;
}

/** Revision, place within its event and text of each effect, as three lists. */
function effectColumns(effects: NextState['effects']): [number[], number[], string[]] {
  const first = effects.map(({ revision }) => effects.findIndex((other) => other.revision === revision));
  const positions = effects.map((_, index) => index - (first[index] ?? 0));
  return [effects.map(({ revision }) => revision), positions, effects.map(({ effect }) => JSON.stringify(effect))];
}

const toText = (event: FlowEvent): string => JSON.stringify(event);
