import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';
import { findFaults, findHiddenActions } from './page-faults.js';
import { DIALOGS } from './page-dialogs.js';
import { setUpPages } from './set-up-pages.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

inBrowser('dialogs and what else is shown when it is asked for', () => {
  let here: BrowserFixture;
  beforeAll(async () => {
    here = await BrowserFixture.open();
    await setUpPages(here);
  });
  afterAll(() => here.close());

  test.each(DIALOGS)(
    '$name has its name, fits and has no serious finding of axe-core, wide in the dark and narrow in the light (T5)',
    async ({ name, at, act, dialog }) => {
      const page = await here.openPage(at);
      await act!(page);
      if (dialog !== undefined)
        await page.getByRole('dialog', { name: dialog, exact: true }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await findFaults(page, `dialogs/${name}`)).toEqual([]);
      if (dialog !== undefined) expect(await findHiddenActions(page)).toEqual([]);
      await page.close();
    },
  );

  test('a key that is shown once stays until it is put away, however often Escape is pressed (T19)', async () => {
    const page = await here.openPage('/development/operations?tab=keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Copy it now').waitFor();
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Escape');
    expect(await dialog.getByText('Copy it now').isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.close();
  });

  test('nothing that was opened has complained (T5)', () => {
    expect(here.errors).toEqual([]);
  });
});
