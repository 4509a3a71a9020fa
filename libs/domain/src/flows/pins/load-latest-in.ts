import type { EntityManager } from 'typeorm';
import { loadLatestVersion } from '../versions/load-version.js';
import { findPin } from './pin-flow.js';

/** What `latest` means in one environment (S34). */
export interface LatestVersion {
  /** The one that is pinned there, else the highest commit; null before the first. */
  readonly latest: number | null;
  readonly highest: number | null;
  /** Null where none is pinned. */
  readonly pinned: number | null;
}

/** As the services understand it, for those who read the database themselves. Throws `flow.unknown`. */
export async function loadLatestIn(manager: EntityManager, environmentId: string, flow: string): Promise<LatestVersion> {
  const highest = await loadLatestVersion(manager, flow);
  const pinned = await findPin(manager, environmentId, flow);
  return { latest: pinned ?? highest, highest, pinned };
}
