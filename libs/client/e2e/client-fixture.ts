import type { FlowDefinition } from '@waymark/domain/engine';
import { createKey } from '@waymark/domain/access';
import { type FaultProxy, startFaultProxy } from '@waymark/testing/fault-proxy';
import { freePort } from '@waymark/testing/ports';
import { call, spawnService, type SpawnedService } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { WebSocket } from 'ws';
import {
  createWaymark,
  type LiveSocketClass,
  type Waymark,
  type WaymarkError,
  type WaymarkOptions,
} from '../src/index.js';

/** An open page, with the errors that it was passed. */
export interface Page extends Waymark {
  readonly errors: WaymarkError[];
}

/** The built blocks API in a process of its own, behind a proxy that pages go through. */
export class ClientFixture {
  private readonly pages: Waymark[] = [];
  private users = 0;

  private constructor(
    readonly fixture: Fixture,
    readonly key: string,
    public service: SpawnedService,
    readonly proxy: FaultProxy,
  ) {}

  static async open(...definitions: FlowDefinition[]): Promise<ClientFixture> {
    const fixture = await Fixture.open();
    for (const definition of definitions) await fixture.commit(definition);
    const { key } = await createKey(
      fixture.dataSource,
      { environment: 'development', kind: 'blocks' },
      { by: 'test' },
    );
    const service = await spawn(fixture, String(await freePort()));
    const proxy = await startFaultProxy({ port: Number(new URL(service.url).port) });
    return new ClientFixture(fixture, key, service, proxy);
  }

  async newUser(): Promise<string> {
    const user = `user-${++this.users}`;
    await this.fixture.identify(user);
    return user;
  }

  /** A page of that user, closed after the test. */
  openPage(user: string, options: Partial<WaymarkOptions> & Pick<WaymarkOptions, 'flows'>): Page {
    const errors: WaymarkError[] = [];
    const page = createWaymark({
      url: `http://127.0.0.1:${this.proxy.port}`,
      key: this.key,
      user,
      storage: null,
      WebSocket: WebSocket as unknown as LiveSocketClass,
      onError: (error) => errors.push(error),
      ...options,
    });
    this.pages.push(page);
    // The getters of `ready` stay what they are.
    return Object.assign(Object.create(page) as Waymark, { errors });
  }

  /** A command that comes from elsewhere. */
  async post(path: string, user: string): Promise<void> {
    const [route, query = ''] = path.split('?');
    const answer = await call(
      this.service,
      `POST /v2/${route}?userIdentifier=${user}&version=latest&${query}`,
      {
        key: this.key,
      },
    );
    if (answer.status !== 204) throw new Error(answer.text);
  }

  /** How many commands took effect, the start included. */
  async countEvents(user: string, flow: string): Promise<number> {
    return (await this.fixture.loadEvents(user, flow, 1)).length;
  }

  /** Ends the process without a word, and starts another one at the same address. */
  async restart(): Promise<void> {
    const { port } = new URL(this.service.url);
    this.service.process.kill('SIGKILL');
    await this.service.ended;
    this.service = await spawn(this.fixture, port);
  }

  closePages(): void {
    for (const page of this.pages.splice(0)) page.close();
    this.proxy.heal();
  }

  async close(): Promise<void> {
    this.closePages();
    await this.proxy.close();
    await this.service.stop();
    await this.fixture.close();
  }
}

const spawn = (fixture: Fixture, port: string): Promise<SpawnedService> =>
  spawnService('blocks-api', {
    DATABASE_URL: fixture.testDatabase.url,
    PORT: port,
    SHUTDOWN_GRACE_MS: '0',
  });
