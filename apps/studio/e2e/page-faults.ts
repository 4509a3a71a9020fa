import path from 'node:path';
import { findBarriers, findSpills, type Page } from '@waymark/testing/browser';

/**
 * Each width in one of the colour schemes; what is shown in wide windows only is seen less often,
 * so in the rarer scheme.
 */
const LOOKS = [
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
] as const;

/** What is wrong with a page as it stands, wide and narrow, in the dark and in the light (T5). */
export async function findFaults(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${width}-${colorScheme}`);
    const faults = [
      ...(await findBarriers(page)),
      ...(await findSpills(page)),
      ...(await page.evaluate<string[]>(FIND_VOID)),
    ];
    found.push(...faults.map((fault) => `${width} ${colorScheme}: ${fault}`));
  }
  return found;
}

/** Runs in the page: it ends with what is in it, since an empty rest to scroll looks broken. */
const FIND_VOID = `(() => {
  const rest = document.documentElement.scrollHeight - Math.max(innerHeight, document.body.offsetHeight);
  return rest > 1 ? ['the page goes on for ' + rest + ' px below what is in it'] : [];
})()`;

/**
 * Buttons at the foot of the open dialog that nobody can press before they scroll, on a small phone
 * (T5).
 */
export async function findHiddenActions(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 360, height: 640 });
  return page.evaluate<string[]>(FIND_HIDDEN);
}

/** Runs in the page. */
const FIND_HIDDEN = `(() => {
  const dialog = document.querySelector('dialog[open]');
  dialog.scrollTop = 0;
  const isOnTop = (button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  const buttons = [...dialog.querySelectorAll('.dialog-foot button')];
  return buttons.filter((button) => !isOnTop(button)).map((button) => button.textContent);
})()`;

/** Written on request: `STUDIO_PICTURES=pictures node tools/test.mjs apps/studio/e2e/pages`. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['STUDIO_PICTURES'];
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
