import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, revokeKey } from '@waymark/domain/access';
import { addEndpoint } from '@waymark/domain/outbound';
import { userId } from '@waymark/domain/users';
import { findMissing } from '@waymark/testing/browser';
import { Receiver, until } from '@waymark/testing/services';
import { BrowserFixture } from './browser-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

inBrowser('work in the studio', () => {
  let here: BrowserFixture;
  let receiver: Receiver;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    receiver = await Receiver.open();
    const { fixture } = here;
    await fixture.identify('ada', { plan: 'pro', roles: ['Admin'], address: { city: 'Bern' } });
    await fixture.identifyGroup('acme', { tier: 'gold' });
    await fixture.join('ada', 'acme');
    await addEndpoint(
      fixture.dataSource,
      fixture.environmentId,
      { name: 'crm', url: receiver.url },
      { by: 'tester' },
    );
  });
  afterAll(async () => {
    await here.close();
    receiver.close();
  });

  test('two people who save the same flow: the second is told, and nothing is overwritten or lost (T6)', async () => {
    const [one, two] = [
      await here.openPage('/development/flows/onboarding/edit'),
      await here.openPage('/development/flows/onboarding/edit'),
    ];
    await one.getByLabel('Name', { exact: true }).fill('Of the first');
    await two.getByLabel('Name', { exact: true }).fill('Of the second');
    await one.getByRole('button', { name: 'Save draft' }).click();
    await one.getByText('saved', { exact: true }).waitFor();
    await two.getByRole('button', { name: 'Save draft' }).click();
    await two.getByText('Somebody else has saved this flow meanwhile').waitFor();
    expect(await two.getByLabel('Name', { exact: true }).inputValue()).toBe('Of the second');
    await one.close();
    await two.close();
  });

  test('the text and the form are one document, and YAML that is none says so (T9)', async () => {
    const page = await here.openPage('/development/flows/onboarding/edit');
    await page.getByRole('tab', { name: 'YAML' }).click();
    const editor = page.locator('.yaml-pane .cm-content');
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('{');
    await page.getByText('error', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByText('This text is not valid YAML at the moment').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel('Who enters').waitFor();
    await page.close();
  });

  test('users in progress are counted again while somebody looks at the flows (T7)', async () => {
    const page = await here.openPage('/development/users');
    await page.clock.install();
    await page.getByRole('link', { name: 'Flows', exact: true }).click();
    await page.getByText('Users in progress were counted').waitFor();
    const again = page.waitForRequest(/in-progress$/);
    await page.clock.fastForward(30_000);
    await again;
    await page.close();
  });

  test('what is wrong with a text is told before its picture is drawn (T9)', async () => {
    const page = await here.openPage('/development/flows');
    const flow = 'flow: small\nstart: hello\nblocks:\n  hello: { type: card }\n';
    const answer = await page.evaluate(async (text) => {
      const asked = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      };
      return (await fetch('/api/development/check', asked)).text();
    }, flow);
    const [first, ...others] = answer
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(first).toEqual({
      progress: { problems: [], flow: 'small', previews: { shown: [], left: 0 } },
    });
    expect(others).toEqual([
      { result: { mark: expect.any(String), svg: expect.stringContaining('data-block="hello"') } },
    ]);
    await page.close();
  });

  test('a stale session says what to do, and leads back in by the printed address (T2)', async () => {
    const page = await here.browser.newPage();
    await page.goto(`${here.studio.url}/development/flows#token=wrong`);
    await page.getByText('Open the address that').waitFor();
    expect(page.url()).not.toContain('token');
    await page.close();
  });

  test('the log calls flows by their names (T16)', async () => {
    const page = await here.openPage('/development/operations?tab=log');
    await page.getByRole('row', { name: 'published Of the first version 1' }).waitFor();
    await page.close();
  });

  test('what was typed and not saved is there again after a reload, until somebody goes back to what is saved (T5)', async () => {
    const page = await here.openPage('/development/flows/onboarding/edit');
    page.on('dialog', (dialog) => void dialog.accept());
    const before = await page.getByLabel('Name', { exact: true }).inputValue();
    await page.getByLabel('Name', { exact: true }).fill('Not saved');
    await page.reload();
    await until(
      async () => (await page.getByLabel('Name', { exact: true }).inputValue()) === 'Not saved',
    );
    await page.getByRole('button', { name: 'Go back to what is saved' }).click();
    await page.reload();
    await until(
      async () => (await page.getByLabel('Name', { exact: true }).inputValue()) === before,
    );
    await page.close();
  });

  test('names of properties are offered in a condition, by keyboard alone (T9)', async () => {
    const page = await here.openPage('/development/flows/onboarding/edit');
    await page.getByRole('button', { name: 'Show as text' }).click();
    const condition = page.getByRole('textbox', { name: 'Condition' });
    await condition.fill('');
    await condition.pressSequentially('NOT ro');
    await page.getByRole('option', { name: 'user.properties.roles' }).waitFor();
    await condition.press('Enter');
    await condition.pressSequentially(' == "a"');
    expect(await condition.inputValue()).toBe('NOT user.properties.roles == "a"');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.close();
  });

  test('names of properties are offered in the text too, those within objects by their way (T9)', async () => {
    const page = await here.openPage('/development/flows/onboarding/edit');
    await page.getByRole('tab', { name: 'YAML' }).click();
    await page.locator('.cm-content').getByText('includes(user.properties.roles').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' AND address.ci');
    const option = page.getByRole('option', { name: 'user.properties.address.city' });
    await option.click();
    await page.locator('.cm-content').getByText('AND user.properties.address.city').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.close();
  });

  test('a new block is put behind a path by form, of the type that is wanted (T9)', async () => {
    const page = await here.openPage('/development/flows/onboarding/edit');
    await page.locator('[data-block="welcome"]').click();
    await page.getByLabel('dismiss: target 1').selectOption({ label: '+ a new block …' });
    await page.getByRole('dialog').getByRole('button', { name: /^Card/ }).click();
    await page.getByLabel('Block', { exact: true }).waitFor();
    await until(
      async () => (await page.getByLabel('complete: target 1').inputValue()) === 'finish',
    );
    await page.locator('[data-block="card"]').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('[data-block="card"]').waitFor({ state: 'detached' });
    await page.close();
  });

  test('an endpoint is tested, paused and resumed; keys tell when they were last used (T11)', async () => {
    const page = await here.openPage('/development/operations');
    const row = page.getByRole('row', { name: /^crm/ });
    await row.getByRole('button', { name: 'Test' }).click();
    await page.getByText('crm accepted the test: it answered 204').waitFor();
    expect(
      receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    ).toContain('waymark.test');
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('paused').waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('delivering').waitFor();
    await here.fixture.dataSource.query('UPDATE api_keys SET last_used_at = now()');
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('row', { name: /^web .*blocks API .* just now never/ }).waitFor();
    await page.close();
  });

  test('what was given up is one list with what waits beside it, and is tried again there (S19, E8, T11)', async () => {
    const { fixture } = here;
    const ada = userId(fixture.environmentId, 'ada');
    const hook = { kind: 'webhook', url: new URL('/hook', receiver.url).href, headers: [] };
    await fixture.dataSource.query(
      `INSERT INTO effects (user_id, flow, version, revision, position, effect, failed_at, last_error, next_attempt_at)
       VALUES ($1, 'onboarding', 1, 1, 0, $2, now(), 'answered 500', now()),
              ($1, 'onboarding', 1, 2, 0, $2, NULL, 'answered 503', now() + interval '1 hour')`,
      [ada, hook],
    );
    await fixture.dataSource.query(
      `INSERT INTO endpoint_failures (endpoint_id, event_id, user_id, event, error, failed_at)
       SELECT id, id, $1, $2::jsonb || jsonb_build_object('id', id), 'answered 400', now() FROM endpoints WHERE name = 'crm'`,
      [ada, { user: 'ada', flow: 'onboarding', version: 1, type: 'flow.started' }],
    );
    const page = await here.openPage('/development/operations');
    await page
      .getByRole('row', {
        name: /^event for endpoint: crm [A-Z].*, version 1 .*answered 400/,
      })
      .waitFor();
    await page.getByRole('row', { name: /\/hook [A-Z].*, version 1 .*answered 503/ }).waitFor();
    const failed = page.getByRole('row', { name: /^webhook: .*\/hook .*answered 500/ });
    await failed.getByRole('button', { name: 'Try again now' }).click();
    await failed.waitFor({ state: 'detached' });
    // Within a second the blocks API tries it and what waits behind it, and may not send there.
    await page
      .getByRole('row', { name: /\/hook .*(not tried yet just now|private or loopback)/ })
      .first()
      .waitFor();
    await page.close();
  });

  test('a secret key that came from a web page is a problem until it is revoked (V1, T11)', async () => {
    const { fixture } = here;
    const wanted = { environment: 'development', kind: 'blocks', isSecret: true } as const;
    const { id } = await createKey(
      fixture.dataSource,
      { ...wanted, name: 'leaked' },
      { by: 'tester' },
    );
    await fixture.dataSource.query('UPDATE api_keys SET seen_in_browser_at = now() WHERE id = $1', [
      id,
    ]);
    const page = await here.openPage('/development/operations');
    await page.getByRole('heading', { name: 'Secret keys in web pages' }).waitFor();
    await page.getByRole('row', { name: /^leaked/ }).waitFor();
    await revokeKey(fixture.dataSource, id, { by: 'tester' });
    await page.reload();
    await page.getByText('No resets yet').waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('row', { name: /^leaked revoked/ }).waitFor();
    await page.getByRole('link', { name: 'Problems' }).click();
    await page.getByRole('row', { name: /^crm/ }).waitFor();
    expect(await page.getByRole('heading', { name: 'Secret keys in web pages' }).count()).toBe(0);
    await page.close();
  });

  test('keys tell which of them no page may carry (V1, T11)', async () => {
    const wanted = {
      environment: 'development',
      kind: 'blocks',
      isSecret: true,
      name: 'backend',
    } as const;
    await createKey(here.fixture.dataSource, wanted, { by: 'tester' });
    const page = await here.openPage('/development/operations?tab=keys');
    await page.getByRole('row', { name: /^backend blocks API, secret/ }).waitFor();
    await page
      .getByRole('row', { name: /^web blocks-\S+ (Copy )?blocks API(?!, secret)/ })
      .waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('For').selectOption('users');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Keep it secret: no page may carry it.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /^without a name users API, secret/ }).waitFor();
    await page.close();
  });

  test('an endpoint that cannot be reached says why in plain words (T11)', async () => {
    const { fixture } = here;
    await addEndpoint(
      fixture.dataSource,
      fixture.environmentId,
      { name: 'gone', url: 'http://127.0.0.1:1' },
      { by: 'tester' },
    );
    const page = await here.openPage('/development/operations');
    await page.getByRole('row', { name: /^gone/ }).getByRole('button', { name: 'Test' }).click();
    await page
      .getByText('gone gives no answer: nothing listens at this address and port (ECONNREFUSED)')
      .waitFor();
    await page.close();
  });

  test('the page of a user tells what their groups have (T10)', async () => {
    const page = await here.openPage('/development/users/ada');
    await page.getByText('acme').waitFor();
    await page.getByRole('row', { name: /^tier .*gold/ }).waitFor();
    await page.close();
    expect(here.errors).toEqual([]);
  });
});
