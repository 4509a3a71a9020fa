import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, findMissing, launchBrowser } from '@waymark/testing/browser';
import { until } from '@waymark/testing/services';
import { ClientFixture } from './client-fixture.js';
import { onboarding } from './documented-flow.js';
import { servePages } from './page-server.js';

const missing = findMissing();
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** A file as docs/clients.md prints it. */
async function printed(language: string, comment: string): Promise<string> {
  const docs = await readFile(path.join(ROOT, 'docs/clients.md'), 'utf8');
  const blocks = [...docs.matchAll(/```(\w+)\n(.*?)```/gs)];
  return blocks.find(([, found, text]) => found === language && text!.startsWith(comment))![2]!;
}

describeInBrowser('a page without a bundler', () => {
  let here: ClientFixture;
  let browser: Browser;

  beforeAll(async () => {
    here = await ClientFixture.open(onboarding);
    await here.fixture.identify('ada');
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await here.close();
  });

  test('shows the modal of the docs under a strict policy, acts and follows by pushes (C1, C11)', async () => {
    const html = await printed('html', '<!-- index.html -->');
    const script = await printed('js', '// page.js');
    const { url } = here.service;
    const ours = script.replace('http://127.0.0.1:7071', url).replace('blocks-…', here.key);
    const policy = `default-src 'none'; script-src 'self'; connect-src ${url} ${url.replace('http', 'ws')}`;
    const pages = await servePages(async (pathname) => {
      if (pathname === '/') return html;
      if (pathname === '/page.js') return ours;
      if (!pathname.startsWith('/waymark/')) return null;
      return readFile(path.join(ROOT, 'libs/client/dist', pathname.slice('/waymark/'.length)));
    }, policy);
    const tab = await browser.newPage();
    const complaints: string[] = [];
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on(
      'console',
      (message) => message.text().includes('favicon') || complaints.push(message.text()),
    );
    /**
     * What the page requests: it would see the reset without a push too, once it opens another
     * socket or reads again.
     */
    const asked: string[] = [];
    const frames: string[] = [];
    tab.on('request', (request) => asked.push(request.url()));
    tab.on('websocket', (socket) => {
      asked.push(socket.url());
      socket.on('framereceived', ({ payload }) => frames.push(String(payload)));
    });
    await tab.goto(pages.url);
    const dialog = tab.getByRole('dialog', { name: 'Hello' });
    await dialog.getByText('It works.').waitFor({ state: 'visible' });
    // What a watch begins with.
    await until(() => frames.some((frame) => frame.includes('["flow",')));
    await tab.getByRole('button', { name: 'Show me' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await until(async () => (await here.countEvents('ada', 'onboarding')) === 2);
    const before = asked.length;
    await here.post('flow/onboarding/reset', 'ada');
    await dialog.waitFor({ state: 'visible' });
    expect(asked.slice(before)).toEqual([]);
    expect(complaints).toEqual([]);
    pages.close();
  });
});
