import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { FlowDefinition, FlowDraft, Uid } from '../../engine/index.js';
import { assignUids } from './assign-uids.js';
import { BlockUid } from './block-uid.js';
import { claimFlow, storeDefinition } from './store-definition.js';
import { DomainError } from '../../database/errors/index.js';
import { diffFlows } from '../../flow-files/index.js';
import { withPresentSegments } from '../shared-files/segment.js';
import { textHash } from '../versions/text-hash.js';
import { flowText } from './flow-text.js';
import { FlowVersion } from '../versions/flow-version.js';

interface AppliedFlow {
  readonly definition: FlowDefinition;
  /**
   * False where version 0 was the same already; uids of renamed blocks are remembered all the same.
   */
  readonly changed: boolean;
}

/** The file that a draft was read from, to be kept with it (T6). */
interface DraftSource {
  readonly text: string;
  /**
   * Hash of the text that it was made from, `none` for a flow that does not exist yet; where the
   * draft has another hash by then, it is refused.
   */
  readonly ifMatch?: string;
}
/** By flow. */
export type DraftSources = ReadonlyMap<string, DraftSource>;

/**
 * Writes checked drafts as version 0 of their flows: makes or finds their uids (F3), raises the
 * edition where something differs (S27), brings archived flows back (B12), and keeps the present
 * texts of segments (Z6). Expects a transaction, so that all files are stored or none (F4). Throws
 * `flow.changed` (T6) and `definition.refused`.
 */
export async function applyFlows(
  manager: EntityManager,
  drafts: readonly FlowDraft[],
  texts: DraftSources = new Map(),
): Promise<AppliedFlow[]> {
  // In one order, so that two calls cannot wait for each other.
  const ordered = [...drafts].sort((a, b) => (a.flow < b.flow ? -1 : 1));
  for (const { flow, name = null } of ordered) await claimFlow(manager, flow, name);
  const applied: AppliedFlow[] = [];
  for (const draft of await withPresentSegments(manager, drafts))
    applied.push(await applyFlow(manager, draft, texts.get(draft.flow)));
  return applied;
}

/** Stands for the hash of a flow that is not there yet. */
const NO_FLOW = 'none';
/** How many differences a refusal lists. */
const TOLD = 20;

async function applyFlow(
  manager: EntityManager,
  draft: FlowDraft,
  file: DraftSource | undefined,
): Promise<AppliedFlow> {
  const definition = await assignDraftUids(manager, draft);
  if (file?.ifMatch !== undefined) await refuseChanged(manager, definition, file.ifMatch);
  return { definition, changed: await storeDefinition(manager, definition, file?.text) };
}

/**
 * Throws `flow.changed`, with the difference, unless the draft is still the text of that hash:
 * somebody else may have applied another one since it was read (T6).
 */
async function refuseChanged(
  manager: EntityManager,
  wanted: FlowDefinition,
  hash: string,
): Promise<void> {
  const stored = await manager.findOneBy(FlowVersion, { flow: wanted.flow, version: 0 });
  const present = stored ? textHash(flowText(stored)) : NO_FLOW;
  if (present === hash) return;
  const now = stored ? `its draft is ${present} now` : 'there is no such flow';
  throw new DomainError(
    'flow.changed',
    `flow ${wanted.flow} was changed since it was read: ${now}${difference(stored, wanted)}`,
  );
}

function difference(stored: FlowVersion | null, wanted: FlowDefinition): string {
  if (!stored) return '';
  const differences = diffFlows(wanted, stored.definition).map(({ text }) => text);
  if (differences.length === 0) return ', and differs from yours in comments or layout only';
  const more = differences.length - TOLD;
  return `; compared with yours, ${differences.slice(0, TOLD).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/**
 * The definition that applying the draft would write now; blocks that are new get other uids each
 * time.
 */
export async function assignDraftUids(
  manager: EntityManager,
  draft: FlowDraft,
): Promise<FlowDefinition> {
  const known = await manager.findBy(BlockUid, { flow: draft.flow });
  return assignUids(draft, known, makeUid).definition;
}

const makeUid = (): Uid => randomBytes(15).toString('base64url');
