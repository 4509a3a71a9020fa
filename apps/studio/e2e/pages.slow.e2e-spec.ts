import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';
import { findFaults, picture } from './page-faults.js';
import { VIEWS } from './page-views.js';
import { LONG, NASTY, setUpPages } from './set-up-pages.js';
import { PAGES } from './studio-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

describe('the built pages', () => {
  const size = (names: string[]) =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(PAGES, name))).length, 0);
  const files = readdirSync(PAGES);
  const textOf = (name: string) => readFileSync(path.join(PAGES, name), 'utf8');

  test('are 40 kB at most at the first load, and the editor of the text 140 kB more (T5)', () => {
    const [main] = files.filter((file) => /^main-.*\.js$/.test(file));
    const imported = [...textOf(main!).matchAll(/from"\.\/([^"]+)"/g)].map(([, name]) => name!);
    const styles = files.filter((file) => file.endsWith('.css'));
    expect(size(['index.html', main!, ...imported, ...styles])).toBeLessThan(40 * 1024);
    expect(size(files.filter((file) => file.startsWith('yaml-editor-')))).toBeLessThan(140 * 1024);
  });

  test('have no script or style in the page itself, and nothing from elsewhere (T5)', () => {
    const html = textOf('index.html');
    expect(html).not.toMatch(/<script(?![^>]*src="\/assets)|<style|style=|https?:/);
  });
});

inBrowser('the studio in a browser', () => {
  let here: BrowserFixture;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    await setUpPages(here);
  });
  afterAll(() => here.close());

  test.each(VIEWS)(
    '$name fits and has no serious finding of axe-core, wide in the dark and narrow in the light (T5)',
    async ({ name, at, act }) => {
      const page = await here.openPage(at);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await act?.(page);
      expect(await findFaults(page, `pages/${name}`)).toEqual([]);
      await page.close();
    },
  );

  test('what loads says so, and what fails says why and what to do (T5)', async () => {
    const page = await here.openPage('/development/operations?tab=keys');
    const flows = `${here.studio.url}/api/development/flows`;
    let answer: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(flows, async (route) => {
      await answered;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Flows', exact: true }).click();
    await page.getByText('Loading the flows').waitFor();
    await picture(page, 'pages/loading-1280-light');
    answer!();
    await page.getByRole('link', { name: 'New user onboarding' }).waitFor();
    await page.unroute(flows);
    await page.route(flows, (route) => route.abort());
    await page.reload();
    await page.getByText('The studio does not answer. Is it still running?').waitFor();
    await picture(page, 'pages/no-answer-1280-light');
    await page.unroute(flows);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'New user onboarding' }).waitFor();
    expect(here.errors.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
    await page.close();
  });

  test('long names and HTML in every name and field are read as they are written (T12)', async () => {
    const page = await here.openPage(`/development/users/${LONG}`);
    await page.getByRole('heading', { name: LONG }).waitFor();
    await page.goto(`${here.studio.url}/development/flows/nasty?block=hello`);
    await page.getByRole('heading', { name: NASTY, level: 1 }).waitFor();
    await page.locator('.reading').getByText(NASTY).first().waitFor();
    expect(await page.title()).not.toBe('1');
    await page.close();
  });

  test.each(['.', '..'])(
    'somebody called %s, a step of a path, is found like everybody (T10)',
    async (name) => {
      await here.fixture.identify(name);
      const page = await here.openPage('/development/users');
      await page.getByLabel('Identifier, or its beginning').fill(name);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.close();
    },
  );

  test('the pictures of the README are of the demo flow (T13)', async () => {
    const page = await here.openPage('/development/flows/onboarding');
    await page.locator('.badge').first().waitFor();
    await picture(page, 'studio-flow');
    await page.goto(`${here.studio.url}/development/users/ada?flow=onboarding`);
    await page.locator('.picture svg').waitFor();
    await picture(page, 'studio-user');
    await page.close();
  });

  test('nothing that was opened has complained, or run what stands in a name (T5)', () => {
    expect(here.errors).toEqual([]);
  });
});
