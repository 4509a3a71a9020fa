import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, FlowDefinition } from '@waymark/domain/engine';
import { card, defineFlow, delay, modal } from '@waymark/testing/builders';
import { findMissing, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

inBrowser('why a user does not see a flow (T14)', () => {
  let here: BrowserFixture;
  let page: Page;

  const when =
    'user.properties.plan == "pro" AND user.properties.seats >= 3 AND (user.properties.trial OR lower(user.properties.plan) == "free")';
  const target = { users: 'matching', when } as const;
  const flowOf = (blocks: Parameters<typeof defineFlow>[0]['blocks']): FlowDefinition => ({
    ...defineFlow({ flow: 'pro', target, blocks }),
    name: 'For professionals',
  });
  const hello = card({ complete: 'finish' });
  const pro = flowOf({ hello });

  beforeAll(async () => {
    here = await BrowserFixture.open();
    await here.fixture.commit(pro);
    await here.fixture.identify('ada', { plan: 'free', seats: 5 });
    await here.fixture.read('ada', 'onboarding');
    await here.fixture.identify('bob', { plan: 'free' });
    page = await here.openPage('/development/users/bob');
  });
  afterAll(() => here.close());

  const why = () => page.getByRole('region', { name: 'Why' });

  test('of a flow in the address that they never met, the page says why not, and shows no other flow', async () => {
    await page.goto(`${here.studio.url}/development/users/ada?flow=pro`);
    await why()
      .getByText('Does not see it: it does not start for this user: its condition does not hold.')
      .waitFor();
    const rows = why().getByRole('region', { name: 'Who enters' }).getByRole('listitem');
    await rows.first().waitFor();
    const told = await rows.allInnerTexts();
    expect(told.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      '✕ Does not hold: plan is pro · this user has free',
      '✓ Holds: seats is at least 3 · this user has 5',
      expect.stringMatching(/^Any of these: .*is free$/),
      '✕ Does not hold: trial is yes · this user has none',
      '✓ Holds: lower(user.properties.plan) == "free" · user.properties.plan is free',
    ]);
    expect(await why().getByText('user.properties.plan ==').count()).toBe(0);
    expect(await why().getByText('in progress').count()).toBe(0);
    await page.getByRole('button', { name: 'Start For professionals…' }).waitFor();
  });

  test('any flow can be asked about, for a user who is in none', async () => {
    await page.goto(`${here.studio.url}/development/users/bob`);
    await page.getByLabel('In no flow yet. Ask about').selectOption({ label: 'For professionals' });
    await why().getByText('Does not see it').waitFor();
    expect(new URL(page.url()).searchParams.get('flow')).toBe('pro');
  });

  test('it is started for them from there, and the page follows', async () => {
    await page.getByRole('button', { name: 'Start For professionals…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await why().getByText('Sees hello now').waitFor();
    await page.getByText('step 1 of 1').waitFor();
  });

  test('of a flow that was never published it says that no application gets it', async () => {
    await here.fixture.apply(defineFlow({ flow: 'unpublished', blocks: { later: card() } }));
    await page.goto(`${here.studio.url}/development/users/ada?flow=unpublished`);
    await why()
      .getByText('Does not see it: unpublished has no committed version', { exact: false })
      .waitFor();
  });

  test('on a phone the log is read without scrolling aside (T11)', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${here.studio.url}/development/operations?tab=log`);
    const told = page.locator('[data-title="What"]').first();
    await told.waitFor();
    const box = await told.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(360);
  });

  test('on a phone the answer stands above the picture of a flow that they never met', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${here.studio.url}/development/users/ada?flow=pro`);
    const picture = page.getByRole('region', { name: 'The flow For professionals' });
    await picture.locator('svg').waitFor();
    const [answer, drawn] = [await why().boundingBox(), await picture.boundingBox()];
    expect(answer!.y + answer!.height).toBeLessThanOrEqual(drawn!.y);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('the page of a flow answers for a user who is named there, known or not', async () => {
    await page.goto(`${here.studio.url}/development/flows/pro`);
    const ask = page.getByRole('region', { name: 'Ask about a user' });
    await ask.getByLabel('Identifier of the user').fill('ada');
    await ask.getByRole('button', { name: 'Ask' }).click();
    await ask.getByText('plan is pro · this user has free').waitFor();
    await ask.getByLabel('Identifier of the user').fill('nobody');
    await ask.getByRole('button', { name: 'Ask' }).click();
    await ask.getByText('no such user was ever identified').waitFor();
    expect(here.errors).toEqual([]);
  });

  test('until when a user waits is told in the zone of the reader, in the picture and in the history (T16, Z4)', async () => {
    await here.fixture.commit(
      defineFlow({ flow: 'later', blocks: { rest: delay('hi', 2 * 86_400_000), hi: card() } }),
    );
    await here.fixture.read('ada', 'later');
    const { waiting } = (await here.fixture.findState('ada', 'later', 1))!.state;
    const inTokyo = new Date(Object.values(waiting!)[0]! + 9 * 3_600_000).toISOString();
    const tokyo = await here.openPage('/development/users/ada?flow=later', { zone: 'Asia/Tokyo' });
    const box = tokyo.locator('.picture [data-block="rest"] title');
    await box.waitFor({ state: 'attached' });
    expect(await box.textContent()).toContain(
      `until ${inTokyo.slice(0, 16).replace('T', ' ')} GMT+9`,
    );
    const history = tokyo.getByRole('listitem').filter({ hasText: 'waits in rest until' });
    expect(await history.locator('time').last().getAttribute('title')).toContain('GMT+9');
    await tokyo.close();
  });

  test('users are found by the beginning of an identifier, and by a condition (T17)', async () => {
    await page.goto(`${here.studio.url}/development/users`);
    await page.locator('h1').waitFor();
    await page.keyboard.press('/');
    const search = page.getByLabel('Identifier, or its beginning');
    await page.locator('input[type=search]:focus').waitFor();
    await search.pressSequentially('ad');
    await page.getByRole('heading', { name: 'Beginning with “ad”' }).waitFor();
    const found = page.getByRole('region', { name: 'Users by identifier' });
    await found.getByRole('link', { name: 'ada' }).waitFor();
    expect(await found.getByRole('link').allInnerTexts()).toEqual(['ada']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
    await page.goBack();
    await search.fill('nobody');
    await found.getByText('Nobody.').waitFor();
    await page.keyboard.press('Enter');
    await found.getByRole('link', { name: 'by condition' }).click();
    await page.getByRole('button', { name: '+ Condition' }).click();
    await page.getByLabel('Value').fill('free');
    const matching = page.getByRole('region', { name: 'Users who match' });
    await matching.getByRole('link', { name: 'bob' }).waitFor();
    expect(await matching.getByRole('link').count()).toBe(2);
  });

  test('a picture is zoomed, fitted and dragged, and its containers fold, by keyboard too (T19)', async () => {
    await page.goto(`${here.studio.url}/development/flows/onboarding`);
    const svg = page.locator('.picture svg');
    const measure = (what: string) =>
      page.evaluate<number>(`document.querySelector('.picture-box ${what}`);
    const sizeOf = async () => ({
      width: await measure("svg').getBoundingClientRect().width"),
      height: await measure("svg').getBoundingClientRect().height"),
    });
    await svg.waitFor();
    const before = await sizeOf();
    await page.getByRole('button', { name: 'Larger' }).click();
    expect((await sizeOf()).width).toBeGreaterThan(before.width);
    await page.getByRole('button', { name: 'Larger' }).click();
    const scrolled = () => measure("').scrollTop");
    const at = await scrolled();
    await page.mouse.move(600, 500);
    await page.mouse.down();
    await page.mouse.move(600, 440, { steps: 3 });
    await page.mouse.up();
    expect(await scrolled()).toBe(at + 60);
    await page.getByRole('button', { name: 'Fit' }).click();
    const box = (await page.locator('.picture-box').boundingBox())!;
    expect((await sizeOf()).height).toBeLessThanOrEqual(box.height);

    const handle = page.getByRole('button', { name: 'Items of setup' });
    const invite = svg.getByText('invite', { exact: true });
    await invite.waitFor();
    await handle.focus();
    await page.keyboard.press('Enter');
    await svg.locator('text').filter({ hasText: '2 items' }).waitFor();
    expect(await invite.count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('folded')).toBe('setup');
    await page.reload();
    await svg.locator('text').filter({ hasText: '2 items' }).waitFor();
    await handle.click();
    await invite.waitFor();
  });

  test('the funnel of a version stands beside that of another one (T18)', async () => {
    await here.fixture.commit(flowOf({ hello: modal({ complete: 'finish' }) }));
    await page.goto(`${here.studio.url}/development/flows/pro`);
    await page.getByText('Nobody has come to version 2 yet').waitFor();
    await page.getByRole('button', { name: 'Show version 1' }).click();
    await page.getByText('Nobody has come to').waitFor({ state: 'detached' });
    await page.goto(`${here.studio.url}/development/flows/pro?tab=funnel&version=1`);
    await page.getByLabel('Compare with').selectOption({ label: 'version 2' });
    await page.getByRole('columnheader', { name: 'Reached in version 2' }).waitFor();
    await page.getByRole('row', { name: /^hello 1/ }).waitFor();
    await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor();
  });

  test('the funnel tells for how many the goal holds, and who finished without it (T18, Z7)', async () => {
    const goal = 'user.properties.plan == "pro"';
    await here.fixture.commit(
      defineFlow({ flow: 'aimed', goal, blocks: { aim: modal({ complete: 'finish' }) } }),
    );
    await here.fixture.identify('pia', { plan: 'pro' });
    for (const user of ['ada', 'pia']) await here.fixture.read(user, 'aimed');
    await here.fixture.take('ada', 'aimed', 1, 'aim', ['complete']);
    await page.goto(`${here.studio.url}/development/flows/aimed?tab=funnel&version=1`);
    const told = page.getByRole('group', { name: 'Goal' });
    await told.getByText('It holds for 1 of 2 who started, 50 %; 1 finished without it.').waitFor();
    await told.getByRole('button', { name: 'Who?' }).click();
    await page
      .getByRole('region', { name: 'Finished without it' })
      .getByRole('link', { name: 'ada' })
      .waitFor();
    await page.goto(`${here.studio.url}/development/flows/aimed/edit`);
    await page.getByRole('group', { name: 'Goal' }).getByLabel('Value').waitFor();
  });

  test('answers stand under the funnel, counted, and each with who gave it (Z3)', async () => {
    await here.fixture.commit(
      defineFlow({ flow: 'asks', blocks: { nps: card({ complete: 'nps' }), end: card() } }),
    );
    await here.fixture.read('ada', 'asks');
    const given: Answer[] = [{ stars: 2 }, { stars: 5, why: 'quick & <b>cheap</b>' }];
    for (const data of given)
      await here.fixture.run('ada', 'asks', 1, {
        kind: 'transition',
        block: 'u-nps',
        names: ['complete'],
        data,
      });
    await page.goto(`${here.studio.url}/development/flows/asks?tab=funnel`);
    const answers = page.getByRole('region', { name: 'Answers' });
    await answers.getByRole('row', { name: /^nps stars 2 3\.5 1\.5/ }).waitFor();
    await answers
      .getByRole('row', { name: /^ada .* why quick & <b>cheap<\/b> stars 5$/ })
      .waitFor();
    await answers.getByText('quick & <b>cheap</b>: 1', { exact: true }).waitFor();
    await page.goto(`${here.studio.url}/development/flows/asks?block=nps`);
    await page.getByText('Answers: stars 2, why 1.').waitFor();
    await page.getByRole('button', { name: 'Read them' }).click();
    await answers.getByRole('link', { name: 'ada' }).first().click();
    await page
      .getByText('complete of nps, with {"why":"quick & <b>cheap</b>","stars":5}')
      .first()
      .waitFor();
  });

  test('a dialog opens with its first field, and a flow that exists is refused at once (T19, T21)', async () => {
    await page.goto(`${here.studio.url}/development/flows`);
    await page.getByRole('button', { name: 'New flow' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Pro!');
    expect(await page.getByLabel('Identifier').inputValue()).toBe('pro');
    await page.getByText('There is a flow pro already').waitFor();
    expect(await page.getByRole('button', { name: 'Begin' }).isDisabled()).toBe(true);
    await page.keyboard.type(' tips');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Pro! tips');
  });
});
