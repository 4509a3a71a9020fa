import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '@waymark/domain/database/audit';
import { applySharedFile, ATTENTION_FILE, listAttentionGroups } from '@waymark/domain/flows';
import { card, defineFlow } from '@waymark/testing/builders';
import { findBarriers, findMissing, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

inBrowser('flows that take turns (Q1, Q7)', () => {
  let here: BrowserFixture;
  let page: Page;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    for (const flow of ['news', 'tips'])
      await here.fixture.commit({
        ...defineFlow({ flow, blocks: { [`${flow}-card`]: card({ complete: 'finish' }) } }),
        format: 2,
        attention: { group: 'turns' },
      });
    page = await here.openPage('/development/operations?tab=attention');
  });
  afterAll(() => here.close());

  const groups = () => listAttentionGroups(here.fixture.dataSource.manager);
  const file = () => page.getByLabel('Groups');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const apply = async (text: string) => {
    await file().fill(text);
    await button('Apply…').click();
  };

  test('the groups are edited as a file: what is wrong is told, and what changes is shown before', async () => {
    await page.getByText('not in the file, so nothing waits').waitFor();
    await apply('groups: { turns: { at-once: 0 } }');
    await page.getByText('at-once is a whole number from 1 to 1000').waitFor();
    expect(await groups()).toEqual(new Map());
    await apply('groups: { turns: { at-once: 1 }, others: { pause: 1 day } }');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('turns, others').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('fewer at once');
    await button('Apply').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('news, tips').waitFor();
    expect(await groups()).toEqual(
      new Map([
        ['turns', { atOnce: 1 }],
        ['others', { pause: 86_400_000 }],
      ]),
    );
    const [row] = await listAudit(here.fixture.dataSource.manager);
    expect(row).toMatchObject({ action: 'attention.apply', reason: 'fewer at once' });
    expect(await findBarriers(page)).toEqual([]);
  });

  test('why a user does not see a flow names the group, the rule and the flow that holds the place', async () => {
    await here.fixture.catalogue.refresh();
    await here.fixture.identify('ada');
    await here.fixture.read('ada', 'news');
    const user = await here.openPage('/development/users/ada?flow=tips');
    await user
      .getByText(
        /group turns: at most 1 of its flows may be in progress at once, and in progress are/,
      )
      .waitFor();
    await user.close();
  });

  test('nothing of others is overwritten, and flows of a removed group are named before', async () => {
    await applySharedFile(
      here.fixture.dataSource,
      ATTENTION_FILE,
      new Map([['turns', { atOnce: 2 }]]),
      {
        by: 'bob',
      },
    );
    await apply('groups: {}');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('news, tips will not wait any more').waitFor();
    await button('Apply').click();
    await dialog.getByText('The attention groups were changed since they were read').waitFor();
    expect(await groups()).toEqual(new Map([['turns', { atOnce: 2 }]]));
    await page.reload();
    await apply('groups: {}');
    await button('Apply').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await groups()).toEqual(new Map());
    expect(here.errors).toEqual([]);
  });
});
