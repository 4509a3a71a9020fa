import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FlowDefinition, FlowDraft } from '@waymark/domain/engine';
import { createKey } from '@waymark/domain/access';
import { parseFlowFile } from '@waymark/domain/flow-files';
import {
  type Browser,
  type BrowserContext,
  exampleFolder,
  findBarriers,
  findMissing,
  launchBrowser,
  type Page,
} from '@waymark/testing/browser';
import { card, custom, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { readFlows } from '../src/index.js';
import { ClientFixture } from './client-fixture.js';
import { servePages } from './page-server.js';
import { buildPage, buildWorker } from './rendered-page.js';

const EXAMPLE = exampleFolder('app');
const missing = findMissing('app', 'react-modal');
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const counter = defineFlow({ flow: 'counter', blocks: { tick: custom({ tick: 'tick' }) } });
const plain = defineFlow({
  flow: 'plain',
  blocks: { one: card({ complete: 'two' }), two: card() },
});

/** Where each release of React is installed. */
const REACTS = { '18': 'react-modal', '19': 'app' } as const;
type React = keyof typeof REACTS;

/** As `waymark flow apply` would store it. */
const identified = (draft: FlowDraft): FlowDefinition =>
  ({
    ...draft,
    blocks: draft.blocks.map((block) => ({
      ...block,
      uid: `x-${block.id}`,
      ...('items' in block && {
        items: block.items.map((item) => ({ ...item, uid: `x-${item.id}` })),
      }),
    })),
  }) as FlowDefinition;

describeInBrowser('in Chromium', () => {
  let here: ClientFixture;
  let browser: Browser;
  let person: BrowserContext;
  let user: string;
  let folder: string;
  let example: Awaited<ReturnType<typeof servePages>>;
  let rendered: Awaited<ReturnType<typeof servePages>>;
  const errors: string[] = [];

  beforeAll(async () => {
    const file = await readFile(path.join(EXAMPLE, '../flows/onboarding.yaml'), 'utf8');
    const { draft } = parseFlowFile(file, { file: 'onboarding.yaml' });
    here = await ClientFixture.open(counter, plain, identified(draft!));
    browser = await launchBrowser();
    folder = await mkdtemp(path.join(tmpdir(), 'waymark-app-'));
    const vite = path.join(EXAMPLE, 'node_modules/vite/bin/vite.js');
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--outDir', folder, '--logLevel', 'error'],
      {
        cwd: EXAMPLE,
        env: { BLOCKS_URL: url(), BLOCKS_KEY: here.key },
      },
    );
    example = await servePages((pathname) =>
      readFile(path.join(folder, pathname === '/' ? 'index.html' : pathname)).catch(() => null),
    );
    rendered = await servePages(renderPage);
  });
  afterAll(async () => {
    await browser.close();
    example.close();
    rendered.close();
    await here.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    user = await here.newUser();
    keys = { server: here.key, page: here.key };
    person = await browser.newContext();
  });
  afterEach(async () => {
    await person.close();
    here.proxy.heal();
    expect(errors.splice(0)).toEqual([]);
  });

  const url = () => `http://127.0.0.1:${here.proxy.port}`;
  /** With what the server reads, and what it gives to the page. */
  let keys: { server: string; page: string; token?: string };
  const pages = {} as Record<React, Awaited<ReturnType<typeof buildPage>>>;
  let worker: string;
  /**
   * `/19` is a page that a server has rendered for the user by React 19, with the script that takes
   * it over.
   */
  async function renderPage(pathname: string): Promise<string | null> {
    if (pathname === '/worker.js') return worker;
    const [, react, isScript] = /^\/(18|19)(\.js)?$/.exec(pathname) ?? [];
    const page = pages[react as React];
    if (!page || isScript) return page?.script ?? null;
    const access = { url: url(), user, flows: ['counter', 'plain'] };
    const initial = await readFlows({ ...access, key: keys.server });
    const options = { ...access, key: keys.page, token: keys.token, initial };
    const script = `<script>window.options = ${JSON.stringify(options).replaceAll('<', '\\u003c')}</script>`;
    return `<!doctype html><link rel="icon" href="data:,"><div id="root">${page.render(options)}</div>${script}<script type="module" src="${pathname}.js"></script>`;
  }
  beforeAll(async () => {
    for (const react of Object.keys(REACTS) as React[])
      pages[react] = await buildPage(REACTS[react]);
    worker = await buildWorker();
  });

  const open = async (address: string, isQuiet = false): Promise<Page> => {
    const tab = await person.newPage();
    tab.on('pageerror', (error) => errors.push(String(error)));
    if (!isQuiet)
      tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await tab.goto(address);
    return tab;
  };
  const button = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true });
  const see = (tab: Page, name: string) => button(tab, name).waitFor({ state: 'visible' });
  const secretKey = async (kind: 'blocks' | 'users') =>
    (
      await createKey(
        here.fixture.dataSource,
        { environment: 'development', kind, isSecret: true },
        { by: 'test' },
      )
    ).key;
  const ticks = async () => (await here.countEvents(user, 'counter')) - 1;

  test('the example shows modal, checklist, tour and survey, in two tabs at once, and by keyboard (C9, C10)', async () => {
    await here.fixture.identify(user, { plan: 'pro', roles: ['Admin'] });
    const address = `${example.url}/?user=${user}`;
    const [one, two] = [await open(address), await open(address)];
    await see(two, 'Not now');
    await button(one, 'Show me').click();
    await button(two, 'Show me').waitFor({ state: 'detached' });
    for (const tab of [one, two])
      await tab.getByText('Set up your workspace').waitFor({ state: 'visible' });
    await one.getByText('This is the board').waitFor({ state: 'visible' });
    await button(one, 'Next').click();
    await two.getByText('This is search').waitFor({ state: 'visible' });
    await two.keyboard.press('Escape');
    await one.getByText('This is search').waitFor({ state: 'detached' });
    await one.getByRole('progressbar', { name: '0 of 2 done' }).waitFor({ state: 'visible' });
    await one.evaluate("document.querySelector('li button:last-of-type').click()");
    await two.getByRole('progressbar', { name: '1 of 2 done' }).waitFor({ state: 'visible' });
    await button(two, 'Done').click();
    for (const tab of [one, two]) await tab.getByText('How was it?').waitFor({ state: 'visible' });
    await one.getByRole('radio', { name: '5' }).check();
    await button(one, 'Send').click();
    for (const tab of [one, two]) await tab.getByText('Thank').waitFor({ state: 'visible' });
    await button(one, 'Start over').click();
    await see(two, 'Show me');
  });
  test.each(['light', 'dark'] as const)(
    'the example is for everybody, %s: by keyboard alone, and axe finds nothing (C9)',
    async (colorScheme) => {
      await here.fixture.identify(user, { plan: 'pro', roles: ['Admin'] });
      const page = await open(`${example.url}/?user=${user}`);
      await page.emulateMedia({ colorScheme });
      const focused = () => page.evaluate<string>('document.activeElement.textContent');
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const look = async (name: string) =>
        expect([name, await findBarriers(page)]).toEqual([name, []]);
      await see(page, 'Show me');
      await look('modal');
      await until(async () => (await focused()) === 'Show me');
      await press('Enter');
      await until(async () => (await focused()) === 'Next');
      await look('checklist and tour');
      await press('Enter');
      await page.getByText('This is search').waitFor({ state: 'visible' });
      await until(async () => (await focused()) === 'Next');
      await press('Escape');
      await page.getByText('This is search').waitFor({ state: 'detached' });
      for (const count of [1, 2]) {
        while ((await focused()) !== 'Done') await press('Tab');
        await press('Enter');
        if (count === 1)
          await page
            .getByRole('progressbar', { name: '1 of 2 done' })
            .waitFor({ state: 'visible' });
      }
      await page.getByText('How was it?').waitFor({ state: 'visible' });
      await look('survey');
      while ((await page.evaluate<string>('document.activeElement.type')) !== 'radio')
        await press('Tab');
      await press('Space', 'ArrowRight', 'Enter');
      await page.getByText('Thank').waitFor({ state: 'visible' });
      await look('thanks');
    },
  );
  test.each(Object.keys(REACTS) as React[])(
    'a page that a server rendered is taken over without a warning by React %s, in StrictMode, and acts (C7, C10)',
    async (react) => {
      expect(pages[react].version.split('.')[0]).toBe(react);
      const page = await open(`${rendered.url}/${react}`);
      expect(await page.evaluate('document.querySelector("button").textContent')).toBe('one');
      await button(page, 'one').click();
      await see(page, 'gone');
      await until(async () => (await here.countEvents(user, 'plain')) === 2);
      const other = await open(`${rendered.url}/${react}`);
      await see(other, 'gone');
    },
  );

  test('a page that a server rendered with its secret key has nothing of it (C7, V1)', async () => {
    keys.server = await secretKey('blocks');
    const sent: string[] = [];
    person.on('request', (request) => sent.push(request.headers()['x-api-key'] ?? here.key));
    const page = await open(`${rendered.url}/19`);
    expect(await page.content()).not.toContain(keys.server);
    await button(page, 'one').click();
    await see(page, 'gone');
    await until(async () => (await here.countEvents(user, 'plain')) === 2);
    expect([...new Set(sent)]).toEqual([here.key]);
  });
  test('a page that is given a users key is refused aloud, and its clicks do nothing (C7, V1)', async () => {
    keys = { server: here.key, page: await secretKey('users') };
    const page = await open('about:blank', true);
    const heard = page.waitForEvent('console', (message) => message.text().includes('x-api-key'));
    await page.goto(`${rendered.url}/19`);
    await heard;
    const refused = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 401,
    );
    await button(page, 'one').click();
    await refused;
    expect(await here.countEvents(user, 'plain')).toBe(1);
  });

  test('a page that is given a secret key is refused at once, before it asks anything (C1, V1)', async () => {
    keys = { server: here.key, page: await secretKey('blocks') };
    const page = await person.newPage();
    const refused = page.waitForEvent('pageerror');
    await page.goto(`${rendered.url}/19`);
    expect(String(await refused)).toContain('key is secret: a page needs a public key');
    expect(await here.countEvents(user, 'plain')).toBe(1);
  });

  test('a worker, where there is neither document nor storage, shows, acts and hears of changes (C1)', async () => {
    const page = await open(`${rendered.url}/19`);
    await page.evaluate(`{
      window.said = [];
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => said.push(data);
      const { initial, ...options } = window.options;
      worker.postMessage(options);
    }`);
    const said = () => page.evaluate<string[]>('said');
    await until(async () => (await said()).includes('two'));
    await here.post('flow/plain/stop', user);
    await until(async () => (await said()).includes('stopped'));
    expect((await said()).sort()).toEqual([
      'done true',
      'stopped',
      'two',
      'undefined,undefined,function',
    ]);
  });

  test('the network off, ten clicks, on again: all ten are there once (C3, C10)', async () => {
    const page = await open(`${rendered.url}/19`, true);
    await page.evaluate('waymark.ready');
    await person.setOffline(true);
    await page.evaluate('tick(10)');
    expect(await page.evaluate('localStorage.length')).toBe(10);
    expect(await ticks()).toBe(0);
    await person.setOffline(false);
    await until(async () => (await page.evaluate('localStorage.length')) === 0);
    expect(await ticks()).toBe(10);
  });

  test('a reload with clicks that wait, and a tab that shares them: all are there once (C3, C10)', async () => {
    const page = await open(`${rendered.url}/19`, true);
    await page.evaluate('waymark.ready');
    await page.route('**/v2/block/**', (route) => route.abort());
    await page.evaluate('tick(5)');
    const other = await open(`${rendered.url}/19`, true);
    await other.evaluate('tick(2)');
    await page.unrouteAll();
    await page.reload();
    await until(async () => (await other.evaluate('localStorage.length')) === 0);
    expect(await ticks()).toBe(7);
  });
});
