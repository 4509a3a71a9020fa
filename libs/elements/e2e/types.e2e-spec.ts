import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findBarriers, findMissing, type Page } from '@waymark/testing/browser';
import { until } from '@waymark/testing/services';
import { ElementsFixture } from './elements-fixture.js';
import { FLOWS } from './sample-flows.js';

const missing = findMissing();
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const ANCHORS = `
  <input id="field" aria-label="A field">
  <p data-waymark="one">One</p><p id="second">Two</p><p data-waymark="round.three">Three</p>
  <button data-waymark="save">Save</button> <button data-waymark="share">Share</button>`;

describeInBrowser('blocks of each type in Chromium', () => {
  let here: ElementsFixture;
  beforeAll(async () => {
    here = await ElementsFixture.open(Object.values(FLOWS));
  });
  afterAll(() => here.close());
  beforeEach(async () => {
    await here.newPerson();
    await here.newUser();
  });
  afterEach(() => expect(here.said).toEqual([]));

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const focused = (page: Page) =>
    page.evaluate<string>(`(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute('part') ?? element?.id ?? '';
    })()`);
  const taken = (flow: string, count: number) =>
    until(async () => (await here.countEvents(flow)) === count);

  test('a modal by mouse: named, its buttons act, and what leads on comes at once (N1, N2)', async () => {
    const page = await here.show({ flows: 'hello' });
    const dialog = page.getByRole('dialog', { name: 'Welcome' });
    await dialog.getByText('works').waitFor();
    const link = dialog.getByRole('link', { name: 'More' });
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener',
    ]);
    await button(page, 'Show me').click();
    // Without a title it is named by its type, without a label there is no button.
    await page.getByRole('dialog', { name: 'Message' }).getByText('And again').waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Close']);
    await button(page, 'Close').click();
    await taken('hello', 3);
    expect(await page.evaluate('document.querySelectorAll("waymark-layer").length')).toBe(0);
  });

  test('a modal by keyboard: takes the focus, gives it back, and Escape dismisses only where a button does (N2, N6)', async () => {
    const page = await here.show({
      flows: 'hello',
      html: '<input id="field" aria-label="A field" autofocus>',
    });
    await page.getByRole('dialog', { name: 'Welcome' }).waitFor();
    await until(async () => (await focused(page)) === 'modal');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('button complete');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Message' }).waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Message' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await taken('hello', 3);
    await until(async () => (await focused(page)) === 'field');
    await here.post('flow/hello/reset');
    await page.getByRole('dialog', { name: 'Welcome' }).waitFor();
    await page.keyboard.press('Escape');
    await taken('hello', 5);
  });

  test('a card stands in a corner, and in its slot as soon as there is one (N2)', async () => {
    const page = await here.show({ flows: 'note' });
    const card = page.getByRole('region', { name: 'A tip' });
    await card.waitFor();
    expect((await card.boundingBox())!.y).toBeGreaterThan(400);
    await page.evaluate(`{
      const slot = document.createElement('waymark-block');
      slot.setAttribute('name', 'note.tip');
      document.querySelector('main').prepend(slot);
    }`);
    await until(async () => (await card.boundingBox())!.y < 100);
    expect(await page.locator('waymark-corner').count()).toBe(0);
    await page.evaluate("document.querySelector('waymark-block').remove()");
    await until(async () => (await card.boundingBox())!.y > 400);
    await button(page, 'Fine').focus();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await taken('note', 2);
    expect(await page.locator('waymark-corner').count()).toBe(0);
  });

  test('a checklist opens from its button, says how far it is, and Escape closes it without a transition (N2)', async () => {
    const page = await here.show({ flows: 'todo' });
    const launcher = button(page, 'First steps 0 of 2 done');
    await launcher.click();
    await page.getByRole('progressbar', { name: '0 of 2 done' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('progressbar').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('launcher');
    await page.keyboard.press('Enter');
    await button(page, 'Upload').click();
    await page.getByRole('progressbar', { name: '1 of 2 done' }).waitFor();
    await button(page, 'Add a photo Done').waitFor();
    // The next item unfolds by itself; it can be skipped as it says so.
    await button(page, 'Skip it').click();
    await page.getByRole('region').waitFor({ state: 'detached' });
    await taken('todo', 3);
    await here.post('flow/todo/reset');
    await button(page, 'First steps 0 of 2 done').click();
    await button(page, 'Close').click();
    await taken('todo', 5);
  });

  test('a checklist stands open in its slot (N2)', async () => {
    const page = await here.show({
      flows: 'todo',
      html: '<waymark-block name="todo.list"></waymark-block>',
    });
    await button(page, 'Upload').waitFor();
    expect(await page.getByRole('button', { name: 'First steps' }).count()).toBe(0);
  });

  test('a tour by mouse, forwards and back, to its end and by its cross (N2)', async () => {
    const page = await here.show({ flows: 'round', html: ANCHORS });
    const at = (name: string) => page.getByRole('dialog', { name, exact: true });
    await at('The first').getByText('1 of 3').waitFor();
    expect(await button(page, 'Back').count()).toBe(0);
    await button(page, 'Next').click();
    await at('The second').getByText('2 of 3').waitFor();
    await button(page, 'Back').click();
    await at('The first').waitFor();
    await button(page, 'Next').click();
    await at('The second').waitFor();
    await button(page, 'Next').click();
    await at('The third').waitFor();
    await button(page, 'Done').click();
    await at('The third').waitFor({ state: 'detached' });
    await taken('round', 6);
    await here.post('flow/round/reset');
    await button(page, 'Close').click();
    await taken('round', 8);
  });

  test('a tour by keyboard: the page behind it stays usable, and focus comes back (N6)', async () => {
    const page = await here.show({ flows: 'round', html: ANCHORS });
    await page.getByRole('dialog', { name: 'The first' }).waitFor();
    await until(async () => (await focused(page)) === 'tour');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('close');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('button next');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'The second' }).waitFor();
    await until(async () => (await focused(page)) === 'tour');
    await page.getByLabel('A field').click();
    await page.keyboard.type('typed');
    expect(await page.getByLabel('A field').inputValue()).toBe('typed');
    // Escape in a field of the page is the page's.
    await page.keyboard.press('Escape');
    await button(page, 'Next').focus();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await taken('round', 3);
  });

  test('a tour is announced to whoever writes into a form, and takes nothing from them (N6)', async () => {
    const page = await here.show({ flows: 'survey', html: ANCHORS });
    await page.getByLabel('A field').click();
    await page.evaluate(`import(${JSON.stringify(`${here.service.url}/elements.js`)}).then(({ createWaymark, showFlows }) =>
      showFlows(createWaymark({ url: ${JSON.stringify(here.service.url)}, key: ${JSON.stringify(here.key)}, user: document.querySelector('script').dataset.user, flows: ['round'] })))`);
    await page.getByRole('dialog', { name: 'The first' }).waitFor();
    await page
      .getByRole('status')
      .getByText('The first. Begin here.')
      .waitFor({ state: 'attached' });
    await page.keyboard.type('on');
    expect(await page.getByLabel('A field').inputValue()).toBe('on');
  });

  test('hints are marks that open; Escape closes without a transition, one button ends all (N2, N6)', async () => {
    const page = await here.show({ flows: 'spots', html: ANCHORS });
    await button(page, 'Saving').click();
    const hint = page.getByRole('dialog', { name: 'Saving' });
    await hint.getByText('By itself.').waitFor();
    await page.keyboard.press('Escape');
    await hint.waitFor({ state: 'hidden' });
    await until(async () => (await focused(page)) === 'mark');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await button(page, 'Saving').waitFor({ state: 'detached' });
    const kept = (await button(page, 'Sharing').elementHandle())!;
    await kept.click();
    await button(page, 'No more hints').click();
    await button(page, 'Sharing').waitFor({ state: 'detached' });
    // As a script of the page does that kept the mark.
    await kept.dispatchEvent('click');
    await taken('spots', 3);
  });

  test('a custom block is drawn by a renderer, in the light DOM, and acts (N2)', async () => {
    const page = await here.show({
      flows: 'survey',
      script: `
        import { createWaymark, showFlows } from ELEMENTS;
        const client = createWaymark({ url: URL_, key: KEY, user: USER, flows: ['survey'] });
        window.calls = [];
        const question = (view, root) => {
          calls.push('drawn');
          const button = document.createElement('button');
          button.textContent = view.fields.question;
          button.onclick = () => view.transition('answered');
          root.append(button);
          return { remove: () => calls.push('removed') };
        };
        window.stop = showFlows(client, { renderers: { 'survey.question': question, custom: () => calls.push('wrong') } });
        window.same = stop === showFlows(client);`.replace(
        ' from ELEMENTS',
        ` from '${here.service.url}/elements.js'`,
      ),
    });
    await page.locator('body > div > button').click();
    await page.locator('body > div').waitFor({ state: 'detached' });
    expect(await page.evaluate('[...calls, same]')).toEqual(['drawn', 'removed', true]);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing serious in any state, %s (N6)',
    async (colorScheme) => {
      await here.newPerson({ colorScheme, reducedMotion: 'reduce' });
      const look = async (page: Page, name: string) =>
        expect([name, await findBarriers(page)]).toEqual([name, []]);
      const modal = await here.show({ flows: 'hello', html: '<h1>Page</h1>' });
      await modal.getByRole('dialog').waitFor();
      await look(modal, 'modal');
      const page = await here.show({
        flows: 'note todo round spots',
        html: `<h1>Page</h1>${ANCHORS}`,
      });
      await page.getByRole('dialog', { name: 'The first' }).waitFor();
      await look(page, 'tour, card, launcher, marks');
      await button(page, 'Close').click();
      await button(page, 'Sharing').click();
      await look(page, 'hint');
      await button(page, 'No more hints').click();
      await button(page, 'First steps 0 of 2 done').click();
      await look(page, 'checklist');
      await button(page, 'Upload').click();
      await page.getByRole('progressbar', { name: '1 of 2 done' }).waitFor();
      await look(page, 'an item done');
    },
  );
});
