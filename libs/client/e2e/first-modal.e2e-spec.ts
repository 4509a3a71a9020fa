import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, exampleFolder, findMissing, launchBrowser } from '@waymark/testing/browser';
import { until } from '@waymark/testing/services';
import { build } from 'esbuild';
import { ClientFixture } from './client-fixture.js';
import { onboarding } from './documented-flow.js';
import { servePages } from './page-server.js';

const missing = findMissing('app');
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const ROOT = path.resolve(import.meta.dirname, '../../..');

describeInBrowser('the first modal of docs/clients.md', () => {
  let here: ClientFixture;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    here = await ClientFixture.open(onboarding);
    await here.fixture.identify('ada');
    browser = await launchBrowser();
    folder = await mkdtemp(path.join(tmpdir(), 'waymark-first-modal-'));
    await installClient();
    for (const name of ['waymark.js', 'welcome.jsx', 'main.jsx'])
      await writeFile(path.join(folder, name), await printed(name));
  });
  afterAll(async () => {
    await browser.close();
    await here.close();
    await rm(folder, { recursive: true });
  });

  /**
   * As `npm install --install-links` does it: what is packed, beside the application's own React.
   */
  async function installClient(): Promise<void> {
    const modules = path.join(folder, 'node_modules');
    const own = path.join(modules, '@waymark/client');
    await mkdir(own, { recursive: true });
    const args = ['pack', '--silent', '--pack-destination', folder];
    const archive = execFileSync('npm', args, {
      cwd: path.join(ROOT, 'libs/client'),
      encoding: 'utf8',
    }).trim();
    execFileSync('tar', ['xzf', path.join(folder, archive), '--strip-components=1', '-C', own]);
    for (const name of ['react', 'react-dom']) {
      await symlink(
        path.join(exampleFolder('app'), 'node_modules', name),
        path.join(modules, name),
      );
    }
  }
  /** The file as the page prints it, for the services of this test. */
  async function printed(name: string): Promise<string> {
    const docs = await readFile(path.join(ROOT, 'docs/clients.md'), 'utf8');
    const [, text] = new RegExp(
      `^ *\`\`\`jsx?\\n( *// src/${name}[^\\n]*\\n.*?)^ *\`\`\``,
      'ms',
    ).exec(docs)!;
    return text!.replace('http://127.0.0.1:7071', here.service.url).replace('blocks-…', here.key);
  }

  test('is shown by what is printed there, and a click on it counts (C11)', async () => {
    const { outputFiles } = await build({
      entryPoints: [path.join(folder, 'main.jsx')],
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const script = outputFiles[0]!.text;
    const page =
      '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/main.js"></script>';
    const pages = await servePages((pathname) => Promise.resolve(pathname === '/' ? page : script));
    const tab = await browser.newPage();
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(String(error)));
    await tab.goto(pages.url);
    const dialog = tab.getByRole('dialog', { name: 'Hello' });
    await dialog.getByText('It works.').waitFor({ state: 'visible' });
    await tab.getByRole('button', { name: 'Show me' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => (await here.countEvents('ada', 'onboarding')) === 2);
    expect(errors).toEqual([]);
    pages.close();
  });
});
