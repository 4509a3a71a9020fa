import { setTimeout as pause } from 'node:timers/promises';
import type { FlowDefinition } from '@waymark/domain/engine';
import { createKey } from '@waymark/domain/access';
import { call, spawnService, type SpawnedService } from '@waymark/testing/services';
import type { TestDatabase } from '@waymark/testing/postgres';
import { Fixture } from '@waymark/testing/fixture';
import { LiveClient, type LiveClientOptions } from './live-client.js';

/** Replicas of the built blocks API, each a process of its own, on one database. */
export class LiveReplicas {
  readonly services: SpawnedService[] = [];
  private readonly clients: LiveClient[] = [];

  private constructor(
    readonly fixture: Fixture,
    readonly key: string,
    private readonly settings: Record<string, string>,
  ) {}

  static async open(
    count: number,
    settings: Record<string, string> = {},
    database?: TestDatabase,
  ): Promise<LiveReplicas> {
    const fixture = await Fixture.open({ ...(database && { database }) });
    const { key } = await createKey(
      fixture.dataSource,
      { environment: 'development', kind: 'blocks' },
      { by: 'test' },
    );
    const replicas = new LiveReplicas(fixture, key, {
      DATABASE_URL: fixture.testDatabase.url,
      SHUTDOWN_GRACE_MS: '0',
      ...settings,
    });
    await Promise.all(Array.from({ length: count }, () => replicas.add()));
    return replicas;
  }

  async add(settings: Record<string, string> = {}): Promise<SpawnedService> {
    const service = await this.start(settings);
    this.services.push(service);
    return service;
  }

  /** One more process, to be put in the place of another. */
  start(settings: Record<string, string> = {}): Promise<SpawnedService> {
    return spawnService('blocks-api', { ...this.settings, ...settings });
  }

  /** The URL of the replica with that number, from 0. */
  url(replica = 0): string {
    return this.services[replica]!.url;
  }

  /** A client like the SDKs', connected and `ready`. */
  async connect(user: string, options: Partial<LiveClientOptions> = {}): Promise<LiveClient> {
    const client = this.client(user, options);
    await client.next('ready');
    return client;
  }

  client(user: string, options: Partial<LiveClientOptions> = {}): LiveClient {
    const client = new LiveClient({ url: this.url(), key: this.key, user, ...options });
    this.clients.push(client);
    return client;
  }

  /** Commits, and waits until every replica knows it: they look twice a second. */
  async commit(...definitions: FlowDefinition[]): Promise<void> {
    const committed: [flow: string, version: number][] = [];
    for (const definition of definitions)
      committed.push([definition.flow, await this.fixture.commit(definition)]);
    for (const [flow, version] of committed) await this.untilKnown(flow, version);
  }

  async untilKnown(flow: string, version: number): Promise<void> {
    await this.fixture.identify('somebody');
    const path = `/v2/flow/${flow}?userIdentifier=somebody&version=${version}`;
    for (const replica of this.services.keys())
      while ((await this.get(path, replica)).status === 404) await pause(20);
  }

  post(path: string, replica = 0) {
    return call({ url: this.url(replica) }, `POST ${path}`, { key: this.key, body: {} });
  }

  get(path: string, replica = 0) {
    return call({ url: this.url(replica) }, `GET ${path}`, { key: this.key });
  }

  transition(
    user: string,
    uid: string,
    names: string[],
    replica = 0,
    version: number | string = 1,
  ) {
    const taken = names.map((name) => `&transitions=${name}`).join('');
    return this.post(
      `/v2/block/${uid}/transition?userIdentifier=${user}&version=${version}${taken}`,
      replica,
    );
  }

  intent(user: string, flow: string, intent: string, replica = 0, rest = '') {
    return this.post(`/v2/flow/${flow}/${intent}?userIdentifier=${user}&version=1${rest}`, replica);
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.close();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.fixture.close();
  }
}
