import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import {
  type Browser,
  findBarriers,
  findMissing,
  launchBrowser,
  type Page,
} from '@waymark/testing/browser';
import { type SpawnedService, spawnService, until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import type { RunningStudio } from '../src/start-studio.js';
import { picture } from './page-faults.js';
import { openStudio } from './studio-fixture.js';

const missing = findMissing();
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const AUTHOR = { by: 'test' };
const COMMIT = { message: 'first', migration: 'carry-over' } as const;

describeInBrowser('the sample application of the local stack', () => {
  let fixture: Fixture;
  let key: string;
  let service: SpawnedService;
  let studio: RunningStudio;
  let other: RunningStudio;
  let browser: Browser;
  beforeAll(async () => {
    fixture = await Fixture.open();
    await save('Hello', COMMIT);
    await fixture.identify('ada');
    await fixture.identify('grace');
    ({ key } = await createKey(
      fixture.dataSource,
      { environment: 'development', kind: 'blocks' },
      AUTHOR,
    ));
    service = await spawnService('blocks-api', { DATABASE_URL: fixture.testDatabase.url });
    studio = await openStudio(fixture, { STUDIO_SAMPLE_URL: service.url, STUDIO_SAMPLE_KEY: key });
    other = await openStudio(fixture);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([studio.stop(), other.stop(), service.stop()]);
    await fixture.close();
  });

  /** As the studio does with *Save draft*, and with *Publish* too. */
  async function save(title: string, commit?: typeof COMMIT): Promise<void> {
    const text = `
      flow: hello
      start: welcome
      blocks:
        welcome:
          type: modal
          fields: { title: ${title}, complete-label: Go on }
          paths: { complete: stars, dismiss: finish }
        stars: { type: custom, fields: { question: How was it? }, paths: { answered: finish } }
    `;
    const { draft } = parseFlowFile(text, { file: 'hello.yaml' });
    await publishFlows(fixture.dataSource, [draft!], AUTHOR, commit);
  }

  test('shows a flow, is clicked through and started over, and shows a draft as soon as it is saved (N11)', async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`${studio.url}/see-it?flow=hello`);
    const at = (name: string) => page.getByRole('dialog', { name, exact: true });
    await at('Hello').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'answered' }).click();
    await page.getByText('hello: finished').waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await at('Hello').getByRole('button', { name: 'Go on' }).click();
    await page.getByLabel('Edition').selectOption('draft');
    await at('Hello').waitFor();
    await save('Changed');
    await at('Changed').waitFor();
    expect(said).toEqual([]);
  });

  test('a text that is changed in the studio is there as soon as the draft is saved, and in any page at its next load after it is published (N11)', async () => {
    const [seen, edited, other] = await Promise.all([
      browser.newPage(),
      browser.newPage(),
      browser.newPage(),
    ]);
    const application = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><script type="module" src="${service.url}/elements.js" data-key="${key}" data-user="grace" data-flows="hello"></script>`,
      );
    }).listen(0, '127.0.0.1');
    await once(application, 'listening');
    const { port } = application.address() as AddressInfo;
    await seen.goto(`${studio.url}/see-it?flow=hello&user=grace&version=uncommitted`);
    const at = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
    await at(seen, 'Changed').waitFor();
    await other.goto(`http://127.0.0.1:${port}`);
    await at(other, 'Hello').waitFor();
    const [opened] = await Promise.all([
      seen.waitForEvent('popup'),
      // The modal that is open lies over it.
      seen.evaluate("document.getElementById('edit').click()"),
    ]);
    expect(new URL(opened.url()).pathname).toBe('/development/flows/hello/edit');
    await edited.goto(`${opened.url()}${new URL(studio.address).hash}`);
    await edited.getByRole('button', { name: 'modal welcome' }).click();
    await edited.getByLabel('Title', { exact: true }).fill('By hand');
    await edited.getByRole('button', { name: 'Save draft' }).click();
    await at(seen, 'By hand').waitFor();
    await other.reload();
    await at(other, 'Hello').waitFor();
    await edited.getByRole('button', { name: 'Publish…' }).click();
    await edited.getByLabel('What does this change?').fill('a title');
    await edited.getByRole('button', { name: /^Publish version/ }).click();
    await edited.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await until(async () => {
      await other.reload();
      return (await at(other, 'By hand').count()) > 0;
    });
    await Promise.all([seen, edited, other, opened].map((page) => page.close()));
    application.close();
  });

  test('identifies a user who is not there, leaves one who is alone, and marks in the picture where they are (N11)', async () => {
    await fixture.identify('known', { plan: 'pro' });
    const page = await browser.newPage();
    await page.goto(`${studio.url}/see-it?flow=hello&user=nobody-yet`);
    await page.getByRole('dialog').waitFor();
    const active = page.locator('#picture .active');
    expect(await active.getAttribute('data-block')).toBe('welcome');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('#picture .active[data-block="stars"]').waitFor();
    await page.goto(`${studio.url}/see-it?flow=hello&user=known`);
    await page.getByRole('dialog').waitFor();
    const users = await fixture.dataSource.query(
      "SELECT identifier, properties FROM users WHERE identifier IN ('known', 'nobody-yet') ORDER BY 1",
    );
    expect(users).toEqual([
      { identifier: 'known', properties: { plan: 'pro' } },
      { identifier: 'nobody-yet', properties: {} },
    ]);
    await page.close();
  });

  /**
   * `STUDIO_PICTURES=docs node tools/test.mjs apps/studio/e2e/see-it` takes the picture of the
   * README.
   */
  test('is what the README shows first, with the demo flow in it (N11)', async () => {
    const [, first] = /!\[[^\]]*\]\(([^)]+)\)/.exec(readFileSync('README.md', 'utf8'))!;
    expect([first, existsSync(first!)]).toEqual(['docs/see-it.png', true]);
    const demo = readFileSync('examples/flows/onboarding.yaml', 'utf8');
    const { draft } = parseFlowFile(demo, { file: 'onboarding.yaml' });
    await publishFlows(fixture.dataSource, [draft!], AUTHOR, COMMIT);
    await fixture.identify('ada', { plan: 'pro', roles: ['Admin'] });
    const page = await browser.newPage({
      viewport: { width: 1280, height: 720 },
      reducedMotion: 'reduce',
    });
    await page.goto(`${studio.url}/see-it`);
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.getByRole('dialog').getByText('1 of 2').waitFor();
    await page.locator('#picture .active[data-block="tour"]').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await picture(page, 'see-it');
    await page.close();
  });

  test('is in no other studio (N11)', async () => {
    const answers = await Promise.all(
      [
        '/see-it',
        '/see-it/edition?flow=hello&version=latest',
        '/see-it/picture?flow=hello&version=latest',
      ].map((path) => fetch(other.url + path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const welcome = (url: string, user: unknown, origin = url) =>
      fetch(`${url}/see-it/user`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ user }),
      });
    expect((await welcome(other.url, 'somebody')).status).toBe(404);
    expect((await welcome(studio.url, 'somebody', 'https://evil.test')).status).toBe(403);
    for (const user of ['', 'a\u0000b', 7, 'x'.repeat(513)])
      expect((await welcome(studio.url, user)).status).toBe(400);
    expect((await fetch(`${studio.url}/see-it/picture?flow=none&version=latest`)).status).toBe(404);
    expect((await fetch(`${studio.url}/see-it/edition?flow=none&version=latest`)).status).toBe(404);
    expect((await fetch(`${studio.url}/see-it/edition?version=other`)).status).toBe(400);
  });
});
