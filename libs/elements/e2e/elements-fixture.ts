import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKey } from '@waymark/domain/access';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import {
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
} from '@waymark/testing/browser';
import { call, spawnService, type SpawnedService } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';

const AUTHOR = { by: 'test' };

export interface PageOptions {
  readonly flows: string;
  /** The body of the page, before the tag. */
  readonly html?: string;
  /** More attributes of the tag, or of the script that takes its place. */
  readonly tag?: string;
  /** A content security policy. */
  readonly policy?: string;
  /** In place of the tag: a module that may use ELEMENTS, KEY, URL and USER. */
  readonly script?: string;
  /** Before everything else. */
  readonly head?: string;
  readonly user?: string;
  readonly attributes?: string;
  /** In place of all of it. */
  readonly document?: string;
}

/** The built blocks API with flows, and a server of pages that have its tag in them. */
export class ElementsFixture {
  private users = 0;
  private pages = new Map<string, { html: string; policy?: string }>();
  private context!: BrowserContext;
  /** What the consoles of the pages said. */
  readonly said: string[] = [];

  private constructor(
    readonly fixture: Fixture,
    readonly key: string,
    readonly service: SpawnedService,
    private readonly server: Server,
    readonly browser: Browser,
  ) {
    server.on('request', ({ url }, response) => {
      const page = this.pages.get(new URL(url!, 'http://page').pathname);
      if (page?.policy) response.setHeader('content-security-policy', page.policy);
      response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(page?.html);
    });
  }

  static async open(flows: readonly string[]): Promise<ElementsFixture> {
    const fixture = await Fixture.open();
    const drafts = flows.map((text) => parseFlowFile(text, { file: 'flow.yaml' }).draft!);
    await publishFlows(fixture.dataSource, drafts, AUTHOR, {
      message: 'first',
      migration: 'carry-over',
    });
    const { key } = await createKey(
      fixture.dataSource,
      { environment: 'development', kind: 'blocks' },
      AUTHOR,
    );
    const service = await spawnService('blocks-api', { DATABASE_URL: fixture.testDatabase.url });
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new ElementsFixture(fixture, key, service, server, await launchBrowser());
  }

  get pagesUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async newUser(): Promise<string> {
    const user = `user-${++this.users}`;
    await this.fixture.identify(user);
    return user;
  }

  /** A person with a browser of their own, until the next one. */
  async newPerson(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
    await this.context?.close();
    this.said.length = 0;
    this.context = await this.browser.newContext({
      viewport: { width: 900, height: 640 },
      ...options,
    });
  }

  /** The browser of the person. */
  get person(): BrowserContext {
    return this.context;
  }

  /** The address of such a page. */
  put(options: PageOptions): string {
    const { flows, html = '', tag = '', policy, script, head = '', attributes = '' } = options;
    const { service, key } = this;
    const user = options.user ?? `user-${this.users}`;
    const own = script
      ?.replaceAll('ELEMENTS', `'${service.url}/elements.js'`)
      .replaceAll('URL_', `'${service.url}'`)
      .replaceAll('KEY', `'${key}'`)
      .replaceAll('USER', `'${user}'`);
    const last = own
      ? `<script type="module">${own}</script>`
      : `<script type="module" src="${service.url}/elements.js" data-key="${key}" data-user="${user}" data-flows="${flows}" ${tag}></script>`;
    const pathname = `/${this.pages.size}`;
    this.pages.set(pathname, {
      html:
        options.document ??
        `<!doctype html><html lang="en" ${attributes}><title>Page</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><style>:root { color-scheme: light dark }</style>${head}<body><main>${html}</main>${last}</body></html>`,
      ...(policy && { policy }),
    });
    return this.pagesUrl + pathname;
  }

  async show(options: PageOptions): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.said.push(String(error)));
    page.on('console', (message) => this.said.push(message.text()));
    await page.goto(this.put(options));
    return page;
  }

  async post(path: string, user = `user-${this.users}`): Promise<void> {
    const query = `userIdentifier=${user}&version=latest`;
    const request = `POST /v2/${path}${path.includes('?') ? '&' : '?'}${query}`;
    const answer = await call(this.service, request, { key: this.key });
    if (answer.status !== 204) throw new Error(answer.text);
  }

  /** How many commands took effect, the start included. */
  async countEvents(flow: string, user = `user-${this.users}`): Promise<number> {
    return (await this.fixture.loadEvents(user, flow, 1)).length;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
    this.server.closeAllConnections();
    await this.service.stop();
    await this.fixture.close();
  }
}
