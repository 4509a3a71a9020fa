import { readFileSync } from 'node:fs';
import { createKey } from '@waymark/domain/access';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import { type Browser, launchBrowser, type Page } from '@waymark/testing/browser';
import { type SpawnedService, spawnService } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import type { RunningStudio } from '../src/start-studio.js';
import { openStudio } from './studio-fixture.js';

/** What the browser itself says of a refusal. */
const EXPECTED = /the server responded with a status of (400|401|404|409|503)/;
export interface View {
  width?: number;
  dark?: boolean;
  /** The time zone of the reader. */
  zone?: string;
  /** Another one than that of the fixture. */
  studio?: RunningStudio;
}

/** The demo flow, a studio, the blocks API and a browser, for one spec file. */
export class BrowserFixture {
  /** What pages have complained of. */
  readonly errors: string[] = [];

  private constructor(
    readonly fixture: Fixture,
    readonly studio: RunningStudio,
    readonly blocks: SpawnedService,
    readonly browser: Browser,
    /** Opens the blocks API. */
    readonly key: string,
  ) {}

  static async open(): Promise<BrowserFixture> {
    const fixture = await Fixture.open();
    const author = { by: 'tester' };
    const { key } = await createKey(
      fixture.dataSource,
      { environment: 'development', kind: 'blocks', name: 'web' },
      author,
    );
    const demo = parseFlowFile(readFileSync('examples/flows/onboarding.yaml', 'utf8'), {
      file: 'onboarding.yaml',
    }).draft!;
    await publishFlows(fixture.dataSource, [demo], author, {
      message: 'the first',
      migration: 'carry-over',
    });
    const blocks = await spawnService('blocks-api', { DATABASE_URL: fixture.testDatabase.url });
    return new BrowserFixture(
      fixture,
      await openStudio(fixture),
      blocks,
      await launchBrowser(),
      key,
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.blocks.stop();
    await this.studio.stop();
    await this.fixture.close();
  }

  /** A page that is let in; what it complains of is remembered. */
  async openPage(
    view: string,
    { width = 1280, dark = false, zone, studio = this.studio }: View = {},
  ): Promise<Page> {
    const page = await this.browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
      ...(zone !== undefined && { timezoneId: zone }),
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on(
      'console',
      (message) =>
        message.type() === 'error' &&
        !EXPECTED.test(message.text()) &&
        this.errors.push(message.text()),
    );
    await page.goto(`${studio.url}${view}${new URL(studio.address).hash}`);
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
    return page;
  }
}
