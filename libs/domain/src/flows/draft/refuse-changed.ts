import type { EntityManager } from 'typeorm';
import type { FlowDefinition } from '../../engine/index.js';
import { DomainError } from '../../errors/index.js';
import { diffFlows } from '../../flow-files/index.js';
import { flowText, textHash } from './flow-text.js';
import { FlowVersion } from '../versions/flow-version.js';

/** Stands for the hash of a flow that is not there yet. */
export const NO_FLOW = 'none';
/** Differences that a refusal tells of. */
const TOLD = 20;

/**
 * Throws `flow.changed`, with the difference, unless the draft is still the text of that hash: somebody else may have applied
 * another one since it was read (T6).
 */
export async function refuseChanged(manager: EntityManager, wanted: FlowDefinition, hash: string): Promise<void> {
  const stored = await manager.findOneBy(FlowVersion, { flow: wanted.flow, version: 0 });
  const present = stored ? textHash(flowText(stored)) : NO_FLOW;
  if (present === hash) return;
  const now = stored ? `its draft is ${present} now` : 'there is no such flow';
  throw new DomainError('flow.changed', `flow ${wanted.flow} was changed since it was read: ${now}${difference(stored, wanted)}`);
}

function difference(stored: FlowVersion | null, wanted: FlowDefinition): string {
  if (!stored) return '';
  const differences = diffFlows(wanted, stored.definition).map(({ text }) => text);
  if (differences.length === 0) return ', and differs from yours in comments or layout only';
  const more = differences.length - TOLD;
  return `; compared with yours, ${differences.slice(0, TOLD).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
