import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The example application, a package of its own, which brings the driver of the browser along. */
export const EXAMPLE = path.resolve(import.meta.dirname, '../../../examples/app');

/** What of playwright-core is used here; its own types are installed with the example only. */
export interface Tab {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
  evaluate<Result>(expression: string): Promise<Result>;
  getByRole(role: string, options?: { name?: string; exact?: boolean }): Locator;
  getByText(text: string): Locator;
  route(url: string, handle: (route: { abort(): Promise<void> }) => Promise<void>): Promise<void>;
  unrouteAll(): Promise<void>;
  setDefaultTimeout(milliseconds: number): void;
  keyboard: { press(key: string): Promise<void> };
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
}
export interface Locator {
  click(): Promise<void>;
  check(): Promise<void>;
  waitFor(options: { state: 'visible' | 'hidden' | 'detached' }): Promise<void>;
  getAttribute(name: string): Promise<string | null>;
}
/** The tabs of one person: they share what is stored. */
export interface Person {
  newPage(): Promise<Tab>;
  setOffline(isOffline: boolean): Promise<void>;
  close(): Promise<void>;
}
export interface Browser {
  newContext(): Promise<Person>;
  close(): Promise<void>;
}

/** Chromium's own attempts to reach the outside are switched off. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
];

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => spawnSync(name, ['--version']).status === 0);

/** What is missing for tests in a browser, and how to get it; empty where nothing is. */
export const missing = [
  ...(chromium ? [] : ['Chromium (apt-get install chromium)']),
  ...(existsSync(path.join(EXAMPLE, 'node_modules/playwright-core')) ? [] : ['the example (cd examples/app && npm ci)']),
].join(' and ');

export function launchBrowser(): Promise<Browser> {
  const playwright = createRequire(path.join(EXAMPLE, 'package.json'))('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  const executablePath = spawnSync('which', [chromium!]).stdout.toString().trim();
  return playwright.chromium.launch({ executablePath, headless: true, args: FLAGS });
}
