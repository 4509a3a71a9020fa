import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import { findMissing } from '@waymark/testing/browser';
import { call, until } from '@waymark/testing/services';
import { BrowserFixture } from './browser-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

inBrowser('versions, tries and resets of many', () => {
  let here: BrowserFixture;
  const readFlow = (flow: string, user: string) =>
    call(here.blocks, `GET /v2/flow/${flow}?userIdentifier=${user}&version=latest&include=block`, {
      key: here.key,
    });
  const file = (title: string) =>
    `flow: offer\nstart: look\nblocks:\n  look: { type: modal, fields: { title: ${title} }, paths: { complete: price } }\n  price: { type: card, paths: { complete: finish } }\n`;
  const publish = async (title: string, message: string) => {
    const text = file(title);
    const { draft } = parseFlowFile(text, { file: 'offer.yaml' });
    const words = { message, migration: 'carry-over' } as const;
    await publishFlows(
      here.fixture.dataSource,
      [draft!],
      { by: 'ann' },
      words,
      new Map([['offer', { text }]]),
    );
  };
  beforeAll(async () => {
    here = await BrowserFixture.open();
    await here.fixture.identify('ada', { plan: 'pro', roles: ['Admin'] });
    await publish('One', 'the first offer');
    await publish('Two', 'a better offer');
  });
  afterAll(() => here.close());

  test('a version is compared, held where it is wanted, released, and edited from (T8, T16, S34)', async () => {
    const page = await here.openPage('/development/flows/offer?tab=versions');
    await page.getByRole('row', { name: /^2 newest a better offer .* by ann/ }).waitFor();
    await page.getByRole('button', { name: 'Details of version 2' }).click();
    await page.getByText('field title of modal “Two” is "Two", was "One"').waitFor();
    await page.getByRole('button', { name: 'Details of version 1' }).click();
    await page.getByText('This is the first version').waitFor();
    await page.getByRole('button', { name: 'Roll development back to 1…' }).click();
    await page.getByRole('button', { name: 'Roll back to 1' }).click();
    await page.getByText('held at v1 here').waitFor();
    await until(async () => (await readFlow('offer', 'ada')).text.includes('"version":1'));
    await page.getByRole('link', { name: 'All flows' }).click();
    await page.getByText('held at v1').waitFor();
    await page.goto(`${here.studio.url}/development/flows/offer`);
    await until(async () => (await page.getByLabel('Version').inputValue()) === '1');
    await page.goto(`${here.studio.url}/production/flows/offer?tab=versions&open=1`);
    await page.getByText('held in development').waitFor();

    await page.goto(`${here.studio.url}/development/flows/offer?tab=versions&open=1`);
    await page.getByRole('button', { name: 'Release the hold…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release the hold' }).click();
    await page.getByText('held at v1 here').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit from this version…' }).click();
    await page.getByRole('button', { name: 'Edit from this version', exact: true }).click();
    await page.getByRole('tab', { name: 'YAML' }).click();
    await page.getByText('title: One').waitFor();
    await page.goto(`${here.studio.url}/development/flows/offer`);
    await page.getByText('draft differs').waitFor();
    await page.goto(`${here.studio.url}/development/operations?tab=log`);
    for (const done of ['held', 'released the hold on', 'made an earlier version the draft of'])
      await page.getByRole('row', { name: new RegExp(`tester ${done} offer`) }).waitFor();
    await page.close();
  });

  test('a version is taken away as its file, its picture and its types (T8)', async () => {
    const page = await here.openPage('/development/flows/offer?version=2');
    const taken: [name: string, text: string][] = [];
    for (const what of ['Download the file', 'Download the picture', 'Types for TypeScript']) {
      await page.locator('main').getByText('More', { exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: what, exact: true }).click(),
      ]);
      taken.push([download.suggestedFilename(), await readFile(await download.path(), 'utf8')]);
    }
    expect(taken).toEqual([
      ['offer.yaml', file('Two')],
      ['offer.svg', expect.stringContaining('version 2')],
      ['offer.d.ts', expect.stringContaining("declare module '@waymark/client'")],
    ]);
    await page.close();
  });

  test('a draft is tried step by step as somebody would take it, and nothing is written (T9, I4)', async () => {
    const page = await here.openPage('/development/flows/onboarding/edit');
    await page.getByRole('tab', { name: 'Play' }).click();
    await page.getByText('the user does not qualify').waitFor();
    await page.getByText('As somebody who was identified just now').click();
    await page.getByLabel('With the properties of this user').fill('ada');
    await page.getByLabel('With the properties of this user').press('Tab');
    await page.getByRole('button', { name: 'complete', exact: true }).click();
    await page.getByText('is-admin is true').waitFor();
    await page.getByText('notify would send a POST').waitFor();
    await page.getByRole('button', { name: 'Undo the step' }).click();
    await page.getByText('is-admin is true').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '+ Property' }).click();
    await page.getByLabel('Property', { exact: true }).fill('plan');
    await page.getByLabel('Value').fill('free');
    await page.getByLabel('Value').press('Tab');
    await page.getByText('the user does not qualify').waitFor();
    await page.getByRole('button', { name: 'Remove property 1' }).click();
    await page.getByText('the user does not qualify').waitFor({ state: 'detached' });
    await page.close();
    expect(await here.fixture.findState('ada', 'onboarding', 0)).toBeNull();
  });

  test('users are counted, reset with a reason, and put back where they were (T8, I6)', async () => {
    const names = ['bob', 'cid', 'dan'];
    await here.fixture.identifyAll(names, (index) => ({ seats: index }));
    await here.fixture.catalogue.refresh();
    for (const user of names) {
      await here.fixture.read(user, 'offer', 2);
      await here.fixture.take(user, 'offer', 2, 'look', ['complete']);
    }
    const before = await Promise.all(
      names.map(async (user) => (await here.fixture.findState(user, 'offer', 2))!.state),
    );
    const page = await here.openPage('/development/flows/offer?version=2');
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Reset users…' }).click();
    await page.getByLabel('Only users who match a condition').check();
    await page.getByRole('button', { name: 'Show as text' }).click();
    await page.getByRole('textbox', { name: 'Condition' }).fill('user.properties.seats >');
    await page.getByRole('button', { name: 'Count them' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Condition' }).fill('user.properties.seats > 0');
    await page.getByRole('button', { name: 'Count them' }).click();
    await page.getByText('This would reset 2 users').waitFor();
    await page.getByLabel('Why?').fill('too early');
    await page.getByRole('button', { name: 'Reset 2 users' }).click();
    await page.getByText('2 users reset').waitFor();
    const after = await Promise.all(
      names.map(async (user) => (await here.fixture.findState(user, 'offer', 2))!.state),
    );
    expect(
      after.map((state, index) => JSON.stringify(state) === JSON.stringify(before[index])),
    ).toContain(true);
    expect(after).not.toEqual(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 users back where they were').waitFor();
    const undone = await Promise.all(
      names.map(async (user) => (await here.fixture.findState(user, 'offer', 2))!.state),
    );
    expect(undone).toEqual(before);
    await page.goto(`${here.studio.url}/development/operations?tab=log`);
    await page.getByRole('row', { name: /tester reset users of .* too early/ }).waitFor();
    await page.close();
  });
});
