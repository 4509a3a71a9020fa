import type { VersionRef } from '@waymark/domain/flows';
import { LONGEST_BLOCK_REFERENCE } from '../../flows/identifier-patterns.js';

/** What a `watch:flow` or `watch:block` names: a flow, or a block by uid or sid, in a version or tag (L3, B1, B2). */
export interface WatchRequest {
  readonly id: string;
  readonly asked: VersionRef;
}

const NUMBER = /^(0|[1-9][0-9]*)$/;

/** Null where the payload is not an identifier followed by a version. */
export function parseWatchRequest(payload: unknown): WatchRequest | null {
  const [id, version]: unknown[] = Array.isArray(payload) ? payload : [payload];
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_BLOCK_REFERENCE) return null;
  const asked = parseVersion(version);
  return asked === null ? null : { id, asked };
}

function parseVersion(version: unknown): VersionRef | null {
  if (version === 'latest' || version === 'uncommitted') return version;
  if (typeof version === 'number') return Number.isSafeInteger(version) && version >= 0 ? version : null;
  return typeof version === 'string' && NUMBER.test(version) ? Number(version) : null;
}
