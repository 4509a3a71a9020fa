import { Injectable } from '@nestjs/common';
import { isUnknown } from '@waymark/domain/database/errors';
import { FlowCatalogue } from '@waymark/domain/flows';
import { SnapshotReader } from '../read/snapshot-reader.js';
import type { Watch } from '../push/watched-state.js';
import type { SharedVersion } from '../push/watched-version.js';
import { WatchedStates } from './watched-states.js';

/**
 * Tells watchers of a flow that was archived, and shows it to them again when its file is applied
 * again (B12).
 */
@Injectable()
export class ArchiveNotifier {
  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly states: WatchedStates,
    private readonly snapshots: SnapshotReader,
  ) {
    catalogue.onRefresh(() => void this.notify());
  }

  private async notify(): Promise<void> {
    for (const version of this.states.versions()) {
      const isArchived = await this.isGone(version);
      if (isArchived === version.isArchived) continue;
      version.isArchived = isArchived;
      for (const { watches } of this.states.of(version)) {
        for (const watch of watches.values()) {
          if (isArchived) watch.watcher.sendError(`flow ${version.flow} was archived`);
          else this.showAgain(watch);
        }
      }
    }
  }

  private showAgain(watch: Watch): void {
    watch.isRequested = false;
    this.snapshots.request(watch);
  }

  /** While the database is away a flow counts as what it was. */
  private async isGone({ flow, version, isArchived }: SharedVersion): Promise<boolean> {
    try {
      await this.catalogue.getKnownFlow(flow, version);
      return false;
    } catch (error) {
      return isUnknown(error) || isArchived;
    }
  }
}
