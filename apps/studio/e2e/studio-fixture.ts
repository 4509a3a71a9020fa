import { fileURLToPath } from 'node:url';
import { Fixture } from '@waymark/testing/fixture';
import { type RunningStudio, startStudio } from '../src/start-studio.js';

/** The pages as they were built last. */
export const PAGES = fileURLToPath(new URL('../../../dist/apps/studio/pages', import.meta.url));

/** The thread in which texts are read, as it was built last. */
export const READER = fileURLToPath(
  new URL('../../../dist/apps/studio/reader.js', import.meta.url),
);

export type Settings = Record<string, string>;

/** A studio on the database of a fixture. */
export function openStudio(fixture: Fixture, settings: Settings = {}): Promise<RunningStudio> {
  return startStudio(
    {
      DATABASE_URL: fixture.testDatabase.url,
      PORT: '0',
      LOG_LEVEL: 'silent',
      WAYMARK_BY: 'tester',
      ...settings,
    },
    PAGES,
  );
}

/** A browser's side of one session, without the browser. */
export class Visitor {
  cookie: string | undefined;

  constructor(private readonly url: string) {}

  /**
   * A request from a page of the studio; headers may say otherwise, and `raw` is a body that no
   * page writes.
   */
  async ask(
    request: string,
    {
      body,
      raw,
      headers = {},
    }: { body?: unknown; raw?: string; headers?: Record<string, string> } = {},
  ) {
    const [method, path] = request.split(' ') as [string, string];
    const isWrite = !['GET', 'HEAD'].includes(method);
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie && { cookie: this.cookie }),
        ...(isWrite && { origin: this.url, 'content-type': 'application/json' }),
        ...headers,
      },
      ...(isWrite && { body: raw ?? JSON.stringify(body ?? {}) }),
    });
    const text = await response.text();
    const [set] = response.headers.getSetCookie();
    return { status: response.status, headers: response.headers, text, set };
  }

  async enter(address: string): Promise<void> {
    const { set } = await this.ask('POST /api/login', {
      body: { token: /#token=(.*)/.exec(address)![1] },
    });
    this.cookie = set?.split(';')[0];
  }
}
