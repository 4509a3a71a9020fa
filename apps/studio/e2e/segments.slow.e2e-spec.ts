import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '@waymark/domain/database/audit';
import { loadSegments } from '@waymark/domain/flows';
import { findBarriers, findMissing, type Page } from '@waymark/testing/browser';
import { card, defineFlow } from '@waymark/testing/builders';
import { BrowserFixture } from './browser-fixture.js';
import { findFaults } from './page-faults.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

inBrowser('segments (Z6)', () => {
  let here: BrowserFixture;
  let page: Page;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    await here.fixture.identify('ada', { plan: 'pro' });
    await here.fixture.identify('bob', { plan: 'free' });
    await here.fixture.commit(defineFlow({ flow: 'tips', blocks: { tip: card() } }));
    for (const user of ['ada', 'bob']) await here.fixture.read(user, 'tips', 1);
    page = await here.openPage('/development/users?by=segments');
  });
  afterAll(() => here.close());

  const stored = () => loadSegments(here.fixture.dataSource.manager);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const apply = async (text: string) => {
    if (!(await page.getByLabel('Segments', { exact: true }).isVisible()))
      await page.getByText('As text').click();
    await page.getByLabel('Segments', { exact: true }).fill(text);
    await button('Apply…').click();
  };

  test('are edited as a file in Users: mistakes are shown, and what changes is shown before (Q1)', async () => {
    await page.getByText('There are no segments yet.').waitFor();
    await apply('segments: { pros: segment("pro") }');
    await page.getByText('found the unknown segment "pro"').waitFor();
    expect(await stored()).toEqual({});
    await apply('segments:\n  pros: user.properties.plan == "pro"\n');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('pros').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('who pays');
    await button('Apply').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'pros' }).waitFor();
    expect(await stored()).toEqual({ pros: 'user.properties.plan == "pro"' });
    const [row] = await listAudit(here.fixture.dataSource.manager);
    expect(row).toMatchObject({ action: 'segment.apply', reason: 'who pays' });
    expect(await findBarriers(page)).toEqual([]);
  });

  test('are made of rows alone, named, changed and taken away, and written as the rest of the file is (T15)', async () => {
    await page.getByLabel('New segment').fill('large');
    await button('Add segment').click();
    const large = page.getByRole('region', { name: 'Segment large' });
    await large.getByText('Not applied yet').waitFor();
    await large.getByRole('button', { name: '+ Segment' }).click();
    await large.getByRole('button', { name: '+ Condition' }).click();
    await large.getByLabel('Property').selectOption('identifier');
    await large.getByLabel('Value').fill('ada');
    await large.getByText('1 of 2 users match.').waitFor();
    expect(await findFaults(page, 'segments/rows')).toEqual([]);
    await page.getByLabel('New segment').fill('nobody');
    await page.getByLabel('New segment').press('Enter');
    await page
      .getByRole('region', { name: 'Segment nobody' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await button('Apply…').click();
    await page.getByRole('dialog').getByText('large').waitFor();
    await button('Apply').click();
    await page.getByRole('link', { name: 'large' }).waitFor();
    expect(await stored()).toEqual({
      large: 'segment("pros") AND user.identifier == "ada"',
      pros: 'user.properties.plan == "pro"',
    });
    await large.getByText('is in the segment').waitFor();
    expect(await findFaults(page, 'segments/words')).toEqual([]);
    await page.goto(`${here.studio.url}/development/operations?tab=log`);
    await page.getByText('added large', { exact: true }).waitFor();
    await page.goto(`${here.studio.url}/development/users?by=segments`);
  });

  test('list their users, and are rows of conditions (T15, T17)', async () => {
    await page.getByRole('link', { name: 'pros' }).click();
    await page.getByText('1 of 2 users match.').waitFor();
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await page.getByLabel('In or not').selectOption('is not in the segment');
    await page.getByRole('link', { name: 'bob' }).waitFor();
    expect(new URL(page.url()).searchParams.get('when')).toBe('NOT segment("pros")');
    await button('+ Segment').click();
    await page.getByText('0 of 2 users match.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test('bound whose numbers a report shows (T18)', async () => {
    await page.goto(`${here.studio.url}/development/flows/tips?tab=funnel`);
    await page.getByLabel('In the segment').selectOption('pros');
    await page.getByRole('row', { name: /tip/ }).getByText('1', { exact: true }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('segment')).toBe('pros');
  });

  test('are checked in a draft, which is tried with them (T9, I4)', async () => {
    const ask = (address: string, body: object) =>
      page.evaluate(
        async ([to, json]) => {
          const headers = { 'content-type': 'application/json' };
          return (await fetch(to!, { method: 'POST', headers, body: json! })).text();
        },
        [`/api/development/${address}`, JSON.stringify(body)],
      );
    const draft = (name: string) =>
      `flow: offer\ntarget: { users: matching, when: segment("${name}") }\nstart: a\nblocks:\n  a: { type: card, paths: { complete: finish } }\n`;
    expect(await ask('check', { text: draft('pro') })).toContain('found the unknown segment');
    const takesEffect = async (user: string) =>
      JSON.parse(await ask('try', { text: draft('pros'), steps: ['read'], user })) as object;
    expect(await takesEffect('ada')).toMatchObject({ steps: [{ tookEffect: true }] });
    expect(await takesEffect('bob')).toMatchObject({ steps: [{ tookEffect: false }] });
    expect(here.errors).toEqual([]);
  });
});
