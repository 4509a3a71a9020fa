import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The example application, a package of its own. */
export const EXAMPLE = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../examples/react-modal');

/** What of playwright-core is used here; its own types are installed with the example only. */
export interface Locator {
  click(): Promise<void>;
  waitFor(options: { state: 'visible' | 'hidden' | 'detached' }): Promise<void>;
  isVisible(): Promise<boolean>;
  getAttribute(name: string): Promise<string | null>;
}
export interface Page {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  getByRole(role: string, options?: { name?: string; exact?: boolean }): Locator;
  getByTestId(id: string): Locator;
  getByText(text: string): Locator;
  locator(selector: string): Locator;
  waitForLoadState(state: 'networkidle'): Promise<void>;
  /** Milliseconds that anything may take; what took longer is named in the error. */
  setDefaultTimeout(milliseconds: number): void;
  /** The value of an expression in the page, awaited. */
  evaluate(expression: string): Promise<unknown>;
  on(event: 'pageerror', listener: (error: Error) => void): void;
}
export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

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

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => spawnSync(name, ['--version']).status === 0);

/** What is missing for tests in a browser, and how to get it; undefined where nothing is. */
export const missing = [
  ...(chromium ? [] : ['Chromium (apt-get install chromium)']),
  ...(existsSync(path.join(EXAMPLE, 'node_modules/playwright-core')) ? [] : ['the example (cd examples/react-modal && npm ci)']),
].join(' and ');

export function launchBrowser(): Promise<Browser> {
  const playwright = createRequire(path.join(EXAMPLE, 'package.json'))('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  const executablePath = spawnSync('which', [chromium!]).stdout.toString().trim();
  return playwright.chromium.launch({ executablePath, headless: true, args: FLAGS });
}
