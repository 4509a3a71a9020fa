import {
  Module,
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { LiveBus } from '@waymark/domain/states';
import { FlowsModule } from '../flows/flows.module.js';
import { LiveBusModule } from '../live-bus/live-bus.module.js';
import { FrameCheck } from './connect/frame-check.js';
import { LiveConnections } from './connect/live-connections.js';
import { LiveGateway } from './connect/live.gateway.js';
import { SocketAuth } from './connect/socket-auth.js';
import { SocketsByKey } from './connect/sockets-by-key.js';
import { UpgradeCheck } from './connect/upgrade-check.js';
import { LiveMetrics } from './connect/live-metrics.js';
import { DoneCheck } from './watch/done-check.js';
import { ArchiveNotifier } from './watch/archive-notifier.js';
import { ChangeReader } from './read/change-reader.js';
import { SnapshotReader } from './read/snapshot-reader.js';
import { WatchHandlers } from './watch/watch-handlers.js';
import { WatchedStates } from './watch/watched-states.js';

const CONNECT = [LiveGateway, UpgradeCheck, FrameCheck, SocketAuth, SocketsByKey, LiveConnections];
const WATCH = [
  WatchHandlers,
  WatchedStates,
  SnapshotReader,
  ChangeReader,
  ArchiveNotifier,
  DoneCheck,
];

/** How often every watched state is looked at, for announcements that were lost. */
const SWEEP_MS = 30_000;
/** How long closing all sockets may take, so that not everybody comes back at once. */
const CLOSING_MS = 1_500;

/** Starts and stops what live updates consist of. */
@Injectable()
class LiveLifecycle
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: LiveBus,
    private readonly states: WatchedStates,
    private readonly socketsByKey: SocketsByKey,
    private readonly upgrades: UpgradeCheck,
    private readonly connections: LiveConnections,
    private readonly doneCheck: DoneCheck,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.subscribe((announcements) => this.states.receive(announcements));
    this.bus.onRestored(() => this.states.sweep());
    this.bus.start();
    this.socketsByKey.start();
    this.doneCheck.start();
    this.sweeping = setInterval(
      () => this.states.sweep(),
      SWEEP_MS * (0.9 + 0.2 * Math.random()),
    ).unref();
  }

  /** Before the port is closed: clients come back to another replica (L7). */
  async beforeApplicationShutdown(): Promise<void> {
    this.upgrades.shutDown();
    await this.connections.closeAll(CLOSING_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeping);
    this.socketsByKey.stop();
    await this.doneCheck.stop();
    await this.bus.close();
  }
}

/** Live updates over sockets (L1 to L8). */
@Module({
  imports: [LiveBusModule, FlowsModule],
  providers: [...CONNECT, ...WATCH, LiveMetrics, LiveLifecycle],
})
export class LiveModule {}
