import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { raiseRevision } from '../../database/index.js';
import { invalidRequest } from '../../database/errors/index.js';
import { Environment } from '../../access/environment/environment.js';
import { FlowPin } from './flow-pin.js';
import { loadFlowVersion, loadLatestVersion } from '../versions/load-version.js';

/**
 * Makes `latest` mean that version in the environment, whatever is committed later, until it is
 * unpinned (S34). Services know it within a second. Throws `flow.unknown`, `version.unknown`, and
 * `request.invalid` for version 0.
 */
export function pinFlow(
  dataSource: DataSource,
  environmentId: string,
  flow: string,
  version: number,
  author: Author,
): Promise<void> {
  return recordChange(
    dataSource,
    { action: 'flow.pin', environmentId },
    author,
    async (manager, notes) => {
      if (version === 0)
        throw invalidRequest(
          'version 0 is the draft and cannot be pinned; pin a committed version, from 1',
        );
      await loadFlowVersion(manager, flow, version);
      Object.assign(notes, { subject: flow, result: { version } });
      // First, since its row is the lock that makes changes of pins take turns.
      await raiseRevision(manager, 'flows');
      await manager.upsert(FlowPin, { environmentId, flow, version }, ['environmentId', 'flow']);
    },
  );
}

/**
 * `latest` means the highest commit again; answers which version was pinned, null where none was.
 * Throws `flow.unknown`, and `request.invalid` where `latest` is only what is pinned (Z10).
 */
export function unpinFlow(
  dataSource: DataSource,
  environmentId: string,
  flow: string,
  author: Author,
): Promise<number | null> {
  return recordChange(
    dataSource,
    { action: 'flow.unpin', environmentId },
    author,
    async (manager, notes) => {
      await loadLatestVersion(manager, flow);
      // First, as above.
      await raiseRevision(manager, 'flows');
      const environment = await manager.findOneByOrFail(Environment, { id: environmentId });
      if (environment.releasesByPin)
        throw invalidRequest(
          `${environment.name} releases by pin, where no pin is taken away: release another version of ${flow} with \`waymark flow pin\`, archive the flow, or end it with \`waymark env releases ${environment.name} --by-commit\``,
        );
      const pinned = await findPin(manager, environmentId, flow);
      Object.assign(notes, { subject: flow, result: { version: pinned } });
      await manager.delete(FlowPin, { environmentId, flow });
      return pinned;
    },
  );
}

/** The version that the environment pins; null where it pins none. */
export async function findPin(
  manager: EntityManager,
  environmentId: string,
  flow: string,
): Promise<number | null> {
  return (await manager.findOneBy(FlowPin, { environmentId, flow }))?.version ?? null;
}

/** Whether `latest` is only what is pinned there (Z10). */
export const doesReleaseByPin = (manager: EntityManager, environmentId: string): Promise<boolean> =>
  manager.existsBy(Environment, { id: environmentId, releasesByPin: true });

/** What `latest` means in environments that pin it, by their names (S34). */
export async function listPins(
  manager: EntityManager,
  flow: string,
): Promise<Record<string, number>> {
  const pins = await manager.find(FlowPin, { where: { flow }, relations: { environment: true } });
  return Object.fromEntries(
    pins.map(({ environment, version }) => [environment!.name, version]).sort(),
  );
}

/** What `latest` means in one environment (S34). */
export interface LatestVersion {
  /**
   * The one that is pinned there, else the highest commit; null before the first, and where none is
   * released (Z10).
   */
  readonly latest: number | null;
  readonly highest: number | null;
  /** Null where none is pinned. */
  readonly pinned: number | null;
  /** Whether it is only what is pinned there (Z10). */
  readonly releasesByPin: boolean;
}

/**
 * As the services understand it, for those who read the database themselves. Throws `flow.unknown`.
 */
export async function loadLatestIn(
  manager: EntityManager,
  environmentId: string,
  flow: string,
): Promise<LatestVersion> {
  const highest = await loadLatestVersion(manager, flow);
  const pinned = await findPin(manager, environmentId, flow);
  const releasesByPin = await doesReleaseByPin(manager, environmentId);
  return { latest: pinned ?? (releasesByPin ? null : highest), highest, pinned, releasesByPin };
}
