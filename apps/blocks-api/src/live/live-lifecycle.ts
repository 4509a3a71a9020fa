import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { LiveBus } from '@waymark/domain/live-bus';
import { LIVE_BUS } from '../live-bus/live-bus-token.js';
import { LiveStateChanges } from '../live-bus/live-state-changes.js';
import { LiveConnections } from './connect/live-connections.js';
import { SocketsByKey } from './connect/sockets-by-key.js';
import { UpgradeCheck } from './connect/upgrade-check.js';
import { WatchedStates } from './watch/watched-states.js';

/** How often every watched state is looked at, for announcements that were lost. */
const SWEEP_MS = 30_000;
/** How long closing all sockets may take, so that not everybody comes back at once. */
const CLOSING_MS = 1_500;

/** Starts and stops what live updates consist of. */
@Injectable()
export class LiveLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LIVE_BUS) private readonly bus: LiveBus,
    private readonly changes: LiveStateChanges,
    private readonly states: WatchedStates,
    private readonly socketsByKey: SocketsByKey,
    private readonly upgrades: UpgradeCheck,
    private readonly connections: LiveConnections,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.listen((announcements) => this.states.receive(announcements));
    this.bus.subscribe((announcements) => this.states.receive(announcements));
    this.bus.onRestored(() => this.states.sweep());
    this.bus.start();
    this.socketsByKey.start();
    this.sweeping = setInterval(() => this.states.sweep(), SWEEP_MS * (0.9 + 0.2 * Math.random())).unref();
  }

  /** Before the port is closed: clients come back to another replica (L7). */
  async beforeApplicationShutdown(): Promise<void> {
    this.upgrades.shutDown();
    await this.connections.closeAll(CLOSING_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeping);
    this.socketsByKey.stop();
    await this.bus.close();
  }
}
