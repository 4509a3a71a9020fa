import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getEnvironment } from '@waymark/domain/access';
import { loadLatestIn, storeDefinition } from '@waymark/domain/flows';
import { userId } from '@waymark/domain/users';
import { findBarriers, findMissing, type Page } from '@waymark/testing/browser';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { BrowserFixture } from './browser-fixture.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

inBrowser('releases (Z10)', () => {
  let here: BrowserFixture;
  let page: Page;
  let production: string;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    const { dataSource, catalogue, runner } = here.fixture;
    production = (await getEnvironment(dataSource, 'production')).id;
    await dataSource.query(
      `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, 'ada', '{}')`,
      [userId(production, 'ada'), production],
    );
    await here.fixture.commit(defineFlow({ flow: 'tips', blocks: { tip: card() } }));
    const actor = { environmentId: production, user: 'ada' };
    await runner.readAll([await catalogue.getFlow('tips', 1)], actor);
    page = await here.openPage('/production/operations?tab=environments');
  });
  afterAll(() => here.close());

  const latest = async () =>
    (await loadLatestIn(here.fixture.dataSource.manager, production, 'tips')).latest;

  test('an environment is set to release by pin', async () => {
    const choice = page.getByLabel('Published versions in production');
    await choice.selectOption('pin');
    await until(async () => (await choice.inputValue()) === 'pin');
    expect(await findBarriers(page)).toEqual([]);
    await here.fixture.commit(defineFlow({ flow: 'tips', blocks: { tip: card(), more: card() } }));
    expect(await latest()).toBe(1);
  });

  test('a version is released to it, once what it does to users was shown', async () => {
    await page.goto(`${here.studio.url}/production/flows/tips?tab=versions&open=2`);
    await page.getByText('released here: v1').waitFor();
    await page.getByRole('button', { name: 'Release to production…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('in place of version 1').waitFor();
    await dialog.getByText('1 keep their place').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Release 2' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('released here: v2').waitFor();
    expect(await latest()).toBe(2);
    expect(await page.getByRole('button', { name: 'Released to production' }).isDisabled()).toBe(
      true,
    );
  });

  test('publishing says that production waits for a release', async () => {
    const draft = defineFlow({ flow: 'tips', blocks: { tip: card(), last: card() } });
    await storeDefinition(here.fixture.dataSource.manager, draft);
    const editing = await here.openPage('/production/flows/tips/edit');
    await editing.getByRole('button', { name: 'Publish…' }).click();
    await editing.getByText('and stay at version 2 until then').waitFor();
    await editing.close();
  });

  test('archiving names what is taken away', async () => {
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Archive…' }).click();
    await page.getByText('This takes away version 2 in production.').waitFor();
    expect(here.errors).toEqual([]);
  });
});
