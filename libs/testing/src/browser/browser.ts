import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

export type { Browser, BrowserContext, Page } from 'playwright-core';

/** Chromium's own attempts to reach the outside are switched off. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/**
 * First the one that has no windows: where there are some, even without a screen, each page takes a
 * second of the processor.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The folder of an example, which is a package of its own. */
export const exampleFolder = (example: string): string =>
  path.resolve(import.meta.dirname, '../../../../examples', example);

/**
 * What is missing for tests in a browser, and for those of some examples; empty where nothing is.
 */
export function findMissing(...examples: string[]): string {
  const absent = examples.filter(
    (example) => !existsSync(path.join(exampleFolder(example), 'node_modules')),
  );
  return [
    ...(findChromium() ? [] : ['Chromium (apt-get install chromium-headless-shell)']),
    ...absent.map((example) => `the example (cd examples/${example} && npm ci)`),
  ].join(' and ');
}

/**
 * Longer than anything takes on any machine, and less than a test may, so that it tells what it
 * waited for.
 */
const PATIENCE_MS = 300_000;

/** The Chromium of the machine, without a window. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium()!,
    headless: true,
    args: FLAGS,
    timeout: PATIENCE_MS,
  });
  // Of pages without a context of their own as well: each gets a new one.
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** The path of the first Chromium that starts. */
function findChromium(): string | undefined {
  const name = NAMES.find((one) => spawnSync(one, ['--version']).status === 0);
  return name && spawnSync('which', [name]).stdout.toString().trim();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core finds serious or critical, by the debugger, which the policy of a page does not
 * hold up.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>('axe.run(document, { resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)}`);
}
