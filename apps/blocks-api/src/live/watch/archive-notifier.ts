import { Injectable } from '@nestjs/common';
import { isUnknown } from '@waymark/domain/errors';
import { FlowCatalogue } from '@waymark/domain/flows';
import { SnapshotReader } from '../read/snapshot-reader.js';
import type { Watch, WatchedState } from '../push/watched-state.js';
import { WatchedStates } from './watched-states.js';

/** Tells watchers of a flow that was archived, and shows it to them again when its file is applied again (B12). */
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
    for (const state of this.states.list()) {
      const isArchived = await this.isGone(state);
      if (isArchived === state.isArchived) continue;
      state.isArchived = isArchived;
      for (const watch of state.watches.values()) {
        if (isArchived) watch.watcher.sendError(`flow ${state.watched.flow} was archived`);
        else this.showAgain(watch);
      }
    }
  }

  private showAgain(watch: Watch): void {
    watch.isAsked = false;
    this.snapshots.request(watch);
  }

  /** While the database is away a flow counts as what it was. */
  private async isGone({ watched, isArchived }: WatchedState): Promise<boolean> {
    try {
      await this.catalogue.getKnownFlow(watched.flow, watched.version);
      return false;
    } catch (error) {
      return isUnknown(error) || isArchived;
    }
  }
}
