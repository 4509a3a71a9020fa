import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing } from '@waymark/testing/browser';
import { BrowserStage } from './browser-stage.js';
import { DIALOGS, findFaults, setUpSights } from './sights.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

inBrowser('dialogs and what else is shown when it is asked for', () => {
  let here: BrowserStage;
  beforeAll(async () => {
    here = await BrowserStage.open();
    await setUpSights(here);
  });
  afterAll(() => here.close());

  test.each(DIALOGS)(
    '$name has its name, fits and has no serious finding of axe-core, light and dark, at 360 and 1,280 px (T5)',
    async ({ name, at, act, dialog }) => {
      const page = await here.openPage(at);
      await act!(page);
      if (dialog !== undefined) await page.getByRole('dialog', { name: dialog, exact: true }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await findFaults(page, `dialogs/${name}`)).toEqual([]);
      await page.close();
    },
  );

  test('nothing that was opened has complained (T5)', () => {
    expect(here.errors).toEqual([]);
  });
});
