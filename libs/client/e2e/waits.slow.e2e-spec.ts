import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import { applySharedFile, ATTENTION_FILE } from '@waymark/domain/flows';
import { type Browser, findMissing, launchBrowser } from '@waymark/testing/browser';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { build } from 'esbuild';
import { readFlows } from '../src/index.js';
import { ClientFixture } from './client-fixture.js';
import { servePages } from './page-server.js';

const missing = findMissing();
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const grouped = (flow: string, group: string): FlowDefinition => ({
  ...defineFlow({ flow, blocks: { [`${flow}-card`]: card({ complete: 'finish' }) } }),
  format: 2,
  attention: { group },
});

/** Says what started and what waits, and ends a flow by its button. */
const PAGE = `
  import { createWaymark } from '@waymark/client';
  const waymark = createWaymark(JSON.parse(document.body.dataset.options));
  for (const name of waymark.flows) {
    const button = document.body.appendChild(document.createElement('button'));
    waymark.flow(name).subscribe(({ started, finished, waits, finish }) => {
      button.textContent = name + ' ' + (finished ? 'ended' : started ? 'runs' : waits ? 'waits' : 'is off');
      button.onclick = finish;
    });
  }`;

describeInBrowser('flows that take turns, in Chromium', () => {
  let here: ClientFixture;
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof servePages>>;

  beforeAll(async () => {
    here = await ClientFixture.open(
      ...['turns', 'spans'].flatMap((group) =>
        ['a', 'b'].map((name) => grouped(`${group}-${name}`, group)),
      ),
    );
    const groups = new Map([
      ['turns', { atOnce: 1 }],
      ['spans', { limit: { starts: 1, per: 10_000 } }],
    ]);
    await applySharedFile(here.fixture.dataSource, ATTENTION_FILE, groups, { by: 'test' });
    // The service knows them within a second.
    await until(async () => {
      const access = { url: here.service.url, key: here.key, user: await here.newUser() };
      const { flows } = await readFlows({ ...access, flows: ['turns-a', 'turns-b'] });
      return flows[1]!.waits !== undefined;
    });
    browser = await launchBrowser();
    const { outputFiles } = await build({
      stdin: { contents: PAGE, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: 'esm',
    });
    pages = await servePages(async (pathname, query) => {
      if (pathname === '/page.js') return outputFiles[0]!.text;
      const [user, group] = [query.get('user')!, query.get('group')!];
      const access = { url: here.service.url, key: here.key, user };
      const options = JSON.stringify({ ...access, flows: [`${group}-a`, `${group}-b`] });
      return `<!doctype html><link rel="icon" href="data:,"><body data-options='${options}'><script type="module" src="/page.js"></script>`;
    });
  });
  afterAll(async () => {
    await browser.close();
    pages.close();
    await here.close();
  });

  const open = async (group: string, date?: string) => {
    const tab = await browser.newPage();
    if (date) await tab.clock.setFixedTime(date);
    await tab.goto(`${pages.url}/?user=${await here.newUser()}&group=${group}`);
    return tab;
  };

  test('the next one starts by itself once one has ended in the page (Q6)', async () => {
    const tab = await open('turns');
    await tab.getByText('turns-b waits').waitFor();
    await tab.getByText('turns-a runs').click();
    await tab.getByText('turns-b runs').waitFor();
    await tab.getByText('turns-a ended').waitFor();
    await tab.close();
  });

  test.each(['2001-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])(
    'one that time alone lets in starts in time on a device whose clock stands at %s (Q6)',
    async (date) => {
      const tab = await open('spans', date);
      await tab.getByText('spans-b waits').waitFor();
      expect(await tab.evaluate('Date.now()')).toBe(Date.parse(date));
      await tab.getByText('spans-b runs').waitFor();
      await tab.close();
    },
  );
});
