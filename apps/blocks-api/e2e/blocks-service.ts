import { createKey } from '@waymark/domain/access';
import { bootstrap, type RunningService } from '@waymark/service-kit/bootstrap';
import { type Answer, call, expectDocumented, startService } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { BLOCKS_API } from '../src/service.js';

/** Everything of a request that a test may want otherwise than a well-behaved client has it. */
export interface Ask {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A booted blocks API on a database of its own, with flows and users put there directly. */
export class BlocksService {
  private constructor(
    readonly fixture: Fixture,
    readonly service: RunningService,
    readonly key: string,
  ) {}

  static async open(settings: Record<string, string> = {}): Promise<BlocksService> {
    const fixture = await Fixture.open();
    const { key } = await createKey(
      fixture.dataSource,
      { environment: 'development', kind: 'blocks' },
      { by: 'test' },
    );
    return new BlocksService(fixture, await boot(fixture, settings), key);
  }

  /** Another replica, in this process, on the same database. */
  async replica(settings: Record<string, string> = {}): Promise<BlocksService> {
    return new BlocksService(this.fixture, await boot(this.fixture, settings), this.key);
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.fixture.close();
  }

  /**
   * Sends exactly that path; the key is added unless the headers have one. The answer has to be one
   * of the docs.
   */
  async ask(path: string, method: 'GET' | 'POST', { headers = {}, body }: Ask): Promise<Answer> {
    const answer = await call(this.service, `${method} ${path}`, {
      headers: { 'x-api-key': this.key, ...headers },
      body,
    });
    const isOfRoute =
      answer.status !== 405 && !answer.text.includes('there is nothing at this path');
    if (isOfRoute) await expectDocumented(answer);
    return answer;
  }

  get(path: string, ask: Ask = {}): Promise<Answer> {
    return this.ask(path, 'GET', ask);
  }

  post(path: string, ask: Ask = {}): Promise<Answer> {
    return this.ask(path, 'POST', ask);
  }
}

const boot = (fixture: Fixture, settings: Record<string, string>): Promise<RunningService> =>
  startService((given) => bootstrap(BLOCKS_API, given), {
    DATABASE_URL: fixture.testDatabase.url,
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: '0',
    ...settings,
  });
