import type { Announcement, LiveBus } from '@waymark/domain/live-bus';

/** Announces on one bus and hears several: with Redis between the services, the operator's command still uses PostgreSQL. */
export class CombinedBus implements LiveBus {
  constructor(
    private readonly main: LiveBus,
    private readonly heard: LiveBus,
  ) {}

  get isConnected(): boolean {
    return this.main.isConnected && this.heard.isConnected;
  }

  announce(announcement: Announcement): void {
    this.main.announce(announcement);
  }

  subscribe(listener: (announcements: readonly Announcement[]) => void): void {
    for (const bus of [this.main, this.heard]) bus.subscribe(listener);
  }

  onRestored(listener: () => void): void {
    for (const bus of [this.main, this.heard]) bus.onRestored(listener);
  }

  start(): void {
    for (const bus of [this.main, this.heard]) bus.start();
  }

  async close(): Promise<void> {
    await Promise.all([this.main.close(), this.heard.close()]);
  }
}
