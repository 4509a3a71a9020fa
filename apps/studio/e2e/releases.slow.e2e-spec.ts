import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getEnvironment } from '@waymark/domain/access';
import { loadLatestIn, pinFlow, storeDefinition } from '@waymark/domain/flows';
import { userId } from '@waymark/domain/users';
import { findBarriers, findMissing, type Page } from '@waymark/testing/browser';
import { card, checklist, defineFlow, modal } from '@waymark/testing/builders';
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
    await identify('ada');
    await here.fixture.commit(defineFlow({ flow: 'tips', blocks: { tip: card() } }));
    const actor = { environmentId: production, user: 'ada' };
    await runner.readAll([await catalogue.getFlow('tips', 1)], actor);
    page = await here.openPage('/production/operations?tab=environments');
  });
  afterAll(() => here.close());

  const identify = (user: string) =>
    here.fixture.dataSource.query(
      `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, $3, '{}')`,
      [userId(production, user), production, user],
    );
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

  test('the counts before a release are those by SQL of who keeps their place, starts again and loses which block (T16)', async () => {
    const { dataSource, catalogue, runner } = here.fixture;
    const more = { side: card({ complete: 'side' }) };
    const setup = checklist(['invite', 'pay'], { complete: 'finish' });
    const hello = (...complete: string[]) => modal({ complete, dismiss: 'finish' });
    await here.fixture.commit(
      defineFlow({ flow: 'team', blocks: { hello: hello('setup', 'side'), setup, ...more } }),
    );
    await pinFlow(dataSource, production, 'team', 1, { by: 'tester' });
    const flow = await catalogue.getFlow('team', 1, production);
    for (let index = 0; index < 60; index++) {
      const actor = { environmentId: production, user: `customer-${index}` };
      const take = (block: string, names: string[]) =>
        runner.run(flow, actor, { kind: 'transition', block: `u-${block}`, names });
      await identify(actor.user);
      await runner.run(flow, actor, { kind: 'read', starts: true });
      if (index % 4 === 0) continue;
      await take('hello', [index % 7 === 1 ? 'dismiss' : 'complete']);
      if (index % 7 === 1) continue;
      if (index % 3 === 0) await take('side', ['dismiss']);
      if (index % 5 === 0) await take('invite', ['complete']);
    }
    await here.fixture.commit(
      defineFlow({ flow: 'team', blocks: { hello: hello('side'), ...more } }),
    );

    const count = async (condition: string): Promise<number> => {
      const [row] = await dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM flow_states s JOIN users u USING (user_id)
         WHERE u.environment_id = $1 AND s.flow = 'team' AND (${condition})`,
        [production],
      );
      return row!.count;
    };
    const isIn = (...blocks: string[]) =>
      `(${blocks.map((block) => `s.state -> 'blocks' -> 'u-${block}' ->> 'active' = 'true'`).join(' OR ')}) IS TRUE`;
    const loses = isIn('setup', 'invite', 'pay');
    const [losing, kept] = [await count(loses), await count(`NOT (${loses})`)];
    const again = await count(`${loses} AND NOT (${isIn('hello', 'side')})`);
    expect(Math.min(losing - again, again, kept)).toBeGreaterThan(0);

    await page.goto(`${here.studio.url}/production/flows/team?tab=versions&open=2`);
    await page.getByRole('button', { name: 'Release to production…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${kept} keep their place, ${again} start again`).waitFor();
    const lost = await dialog.getByText('blocks that this version no longer has').innerText();
    const [, users, blocks] = /^(\d+) users are in .*: (.*)\.$/.exec(lost)!;
    expect([Number(users), blocks!.split(', ').sort()]).toEqual([
      losing,
      [
        `invite ${await count(isIn('invite'))}`,
        `pay ${await count(isIn('pay'))}`,
        `setup ${await count(isIn('setup'))}`,
      ],
    ]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('archiving names what is taken away', async () => {
    await page.goto(`${here.studio.url}/production/flows/tips`);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Archive…' }).click();
    await page.getByText('This takes away version 2 in production.').waitFor();
    expect(here.errors).toEqual([]);
  });
});
