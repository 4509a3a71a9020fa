import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadFlowVersion, publishFlows } from '@waymark/domain/flows';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { findMissing, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

/** So many that each of two ways has more than a hundred, by whatever uid. */
const USERS = 450;
const OFFERS = `flow: offers
start: offer
blocks:
  offer:
    type: split
    paths:
      short: { share: 45, to: ask }
      long: { share: 45, to: ask }
      none: { share: 10, to: finish }
  ask: { type: custom, fields: { question: Well? }, paths: { yes: finish, no: finish } }
`;

inBrowser('a split in the studio', () => {
  let here: BrowserFixture;
  let page: Page;
  const reached = new Map<string, number>();
  const people = new Map<string, number>();

  beforeAll(async () => {
    here = await BrowserFixture.open();
    const { fixture } = here;
    const { draft } = parseFlowFile(OFFERS, { file: 'offers.yaml' });
    const made = { message: 'the first', migration: 'carry-over' } as const;
    await publishFlows(fixture.dataSource, [draft!], { by: 'tester' }, made);
    await fixture.catalogue.refresh();
    const { compiled } = await fixture.catalogue.getFlow('offers', 1);
    const { uid } = compiled.byIdentifier.get('offer')!;
    const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);
    await fixture.identifyAll(names, () => ({}));
    for (const [index, name] of names.entries()) {
      const { state } = await fixture.read(name, 'offers');
      const way = state.blocks[uid]!.transitioned![0]!;
      people.set(way, (people.get(way) ?? 0) + 1);
      if (way === 'none') continue;
      const yes = way === 'short' || index % 4 === 0;
      await fixture.take(name, 'offers', 1, 'ask', [yes ? 'yes' : 'no']);
      if (yes) reached.set(way, (reached.get(way) ?? 0) + 1);
    }
    page = await here.openPage('/development/flows/offers?tab=funnel');
  });
  afterAll(() => here.close());

  const row = async (way: string): Promise<string> =>
    (
      await page
        .getByRole('region', { name: 'Ways of offer' })
        .getByRole('row', { name: new RegExp(`^${way} `) })
        .innerText()
    ).replaceAll(/\s+/g, ' ');

  test('has its ways in the funnel, compared by a path that is chosen (K3)', async () => {
    const ways = page.getByRole('region', { name: 'Ways of offer' });
    await ways.getByRole('row', { name: /^short / }).waitFor();
    for (const [way, count] of people) expect(await row(way)).toContain(` ${count} `);
    await ways.getByLabel('Compared by').selectOption('ask.yes');
    await ways.getByText('Median time').waitFor();
    expect(await row('short')).toMatch(new RegExp(`${reached.get('short')} 100.0 %`));
    expect(await row('long')).toMatch(
      new RegExp(`${reached.get('long')} \\d+\\.\\d % .* -\\d+\\.\\d points .* lower$`),
    );
    expect(await row('none')).toMatch(/too few to tell$/);
    expect(here.errors).toEqual([]);
  });

  test('is edited as rows of name, share and target, and other lines stay (K2, T9)', async () => {
    await page.goto(`${here.studio.url}/development/flows/offers/edit`);
    await page.locator('[data-block="offer"]').click();
    await page.getByLabel('short: share').fill('20');
    await page.getByText('26.7 % of all').waitFor();
    await page.getByLabel('Who goes the same way').selectOption('group');
    await page.getByLabel('Name of another way').fill('other');
    await page.getByRole('button', { name: 'Add way' }).click();
    await page.getByLabel('other: target 1').selectOption('ask');
    await page.getByRole('button', { name: 'Remove way none' }).click();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('saved', { exact: true }).waitFor();
    const { draft } = parseFlowFile(OFFERS, { file: 'offers.yaml' });
    const { definition } = await loadFlowVersion(here.fixture.dataSource.manager, 'offers', 0);
    expect(definition.blocks[0]).toMatchObject({
      by: 'group',
      ways: [
        { name: 'short', share: 20 },
        { name: 'long', share: 45 },
        { name: 'other', share: 50 },
      ],
      paths: ['short', 'long', 'other'].map((name) => ({ names: [name], to: 'ask' })),
    });
    expect(definition.blocks[1]).toMatchObject(draft!.blocks[1]!);
    expect(here.errors).toEqual([]);
  });
});
