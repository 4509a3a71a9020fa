import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findMissing } from '@waymark/testing/browser';
import { until } from '@waymark/testing/services';
import { ElementsFixture } from './elements-fixture.js';
import { FLOWS } from './sample-flows.js';

const missing = findMissing();
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const EVIL = `<img src=x onerror=alert(1)><script>alert(1)</script>`;
const EVIL_ADDRESSES = [
  'javascript:alert(1)',
  ' JaVa\nScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://page/x',
  'http://[',
];
/** What only a service that is not ours would send: the client has nothing but this to go by. */
const HOSTILE = {
  title: EVIL,
  body: [
    ...EVIL_ADDRESSES.flatMap((url) => [
      { type: 'link', url, children: [{ text: EVIL, bold: true }] },
      { type: 'image', url, children: [] },
      { type: 'video', url, children: [] },
    ]),
    { type: 'script', children: [{ text: 'alert(1)' }] },
    { type: 'constructor', children: [{ text: 'alert(1)' }] },
    {
      type: 'paragraph',
      align: 'left;background:url(//evil.test)',
      children: [{ text: 'aligned' }],
    },
    { type: 'paragraph' },
    null,
    7,
  ],
  'complete-label': EVIL,
  'dismiss-label': { toString: 'not a function' },
  'next-label': EVIL,
  anchor: 'input[type=password]',
};

describeInBrowser('pages that are strict, and texts that are not', () => {
  let here: ElementsFixture;
  beforeAll(async () => {
    here = await ElementsFixture.open(Object.values(FLOWS));
  });
  afterAll(() => here.close());
  beforeEach(async () => {
    await here.newPerson();
    await here.newUser();
  });

  const policy = () => {
    const { url } = here.service;
    return `default-src 'none'; script-src ${url}; connect-src ${url} ${url.replace('http', 'ws')}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'`;
  };

  test('every type is drawn under a strict policy with trusted types, the panel too, and nothing else is asked for (N1, N5, N9, N12)', async () => {
    const page = await here.show({
      flows: 'round note todo spots hello',
      policy: policy(),
      tag: 'data-debug',
      html: '<p data-waymark="one">One</p><button data-waymark="save">Save</button>',
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('dialog', { name: 'The first' }).waitFor();
    await page.getByRole('region', { name: 'A tip' }).waitFor();
    await page.getByRole('button', { name: 'Saving' }).waitFor();
    await page.getByRole('button', { name: 'First steps 0 of 2 done' }).waitFor();
    const panel = page.locator('waymark-debug');
    await panel.getByText('modal, waits for its turn').waitFor();
    await panel.getByText('hints, waits for the anchor of spots.share').waitFor();
    await panel.getByText('open: changes arrive by themselves').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog', { name: 'Welcome' }).waitFor();
    expect(asked.filter((address) => !address.startsWith(here.service.url))).toEqual([]);
    expect(here.said.filter((text) => !text.includes("'style-src'"))).toEqual([]);
    // Laid out as the sheet says, so that it has arrived.
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector('waymark-corner')).position`),
    ).toBe('fixed');
  });

  test('HTML is text in every field, addresses that run something are none, and a password stays where it is (N7)', async () => {
    const page = await here.show({
      flows: '',
      html: '<form><input type="password" value="secret" aria-label="Password"></form>',
      script: `
        import { showFlows } from '${here.service.url}/elements.js';
        window.alert = () => (window.isBroken = true);
        window.acted = [];
        const act = (name) => () => acted.push(name);
        const block = (name, type, items = []) => ({
          name, type, items, active: true, entered: true, exited: false, transitioned: {},
          fields: ${JSON.stringify(HOSTILE).replaceAll('<', '\\u003c')}, complete: act(name), dismiss: act(name), next: act(name), previous: act(name),
        });
        const blocks = [
          block('x.modal', 'modal'), block('x.card', 'card'),
          block('x.list', 'checklist', [block('x.item', 'checklistItem')]),
          block('x.tour', 'tour', [block('x.stop', 'tourItem')]),
          block('x.hints', 'hints', [block('x.hint', 'hintsItem')]),
          block('x.strange', 'toString'), block('x.odd', '__proto__'),
        ];
        window.show = (shown) => {
          const view = { name: 'x', started: true, blocks: blocks.filter(({ name }) => shown.includes(name)) };
          const store = { get: () => view, subscribe: (listen) => (listen(view), () => {}) };
          return showFlows({ flows: ['x'], live: true, report: (error) => acted.push(error.code), flow: () => store });
        };`,
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const evil = (role: 'dialog' | 'region' | 'button') => page.getByRole(role, { name: EVIL });
    await page.evaluate(
      `window.stop = show(['x.modal', 'x.card', 'x.list', 'x.hints', 'x.strange', 'x.odd'])`,
    );
    await evil('dialog').getByText('aligned').waitFor();
    const found =
      await page.evaluate(`[...document.querySelectorAll('waymark-layer')].flatMap(({ shadowRoot }) => [
      ...shadowRoot.querySelectorAll('img, video, script, iframe, [href], [onerror], [style*=url]')].map(({ outerHTML }) => outerHTML))`);
    expect(found).toEqual([]);
    expect(await evil('dialog').getByRole('button').count()).toBe(1);
    await evil('dialog').getByRole('button').click();
    await page.evaluate('stop()');
    await page.evaluate(`window.stop = show(['x.tour'])`);
    // A place to stand is all that a selector gives: what it selects is not read.
    await evil('dialog').getByRole('button', { name: EVIL }).click();
    expect(await page.evaluate('[...acted, window.isBroken]')).toEqual([
      'x.modal',
      'x.stop',
      undefined,
    ]);
    expect(asked).toEqual([]);
    expect(await page.evaluate('document.body.textContent')).not.toContain('secret');
  });

  test('texts without end leave every button in the window, and a thousand blocks leave the page usable (N5)', async () => {
    await here.newPerson({ viewport: { width: 600, height: 420 }, reducedMotion: 'reduce' });
    const page = await here.show({
      flows: '',
      html: '<input id="field" aria-label="A field"><p data-waymark="stop">Here</p><p data-waymark="hint">There</p>',
      script: `
        import { showFlows } from '${here.service.url}/elements.js';
        const long = 'Much to read. '.repeat(4_000);
        const block = (name, type, items = [], fields = {}) => ({
          name, type, items, active: true, entered: true, exited: false, transitioned: {},
          fields: { title: long, body: [{ type: 'paragraph', children: [{ text: long }] }], ...fields },
          complete: () => (window.acted = name), dismiss() {}, next: () => (window.acted = name), previous() {},
        });
        const labels = { 'complete-label': 'Go ' + long, 'next-label': 'Go ' + long, 'dismiss-label': long };
        const shown = {
          modal: () => [block('x.modal', 'modal', [], labels)],
          card: () => [block('x.card', 'card', [], labels)],
          tour: () => [block('x.tour', 'tour', [block('x.stop', 'tourItem', [], labels)])],
          hints: () => [block('x.hints', 'hints', [block('x.hint', 'hintsItem', [], labels)])],
          list: () => [block('x.list', 'checklist', [block('x.item', 'checklistItem', [], labels)])],
          many: () => [
            ...Array.from({ length: 1_000 }, (_, n) => block('x.card' + n, 'card', [], { title: 'Card', body: '' })),
            block('x.hints', 'hints', Array.from({ length: 1_000 }, (_, n) =>
              block('x.hint' + n, 'hintsItem', [], { title: 'Hint', anchor: '#field' }))),
            block('x.modal', 'modal', [], { title: 'Over all', body: '', 'complete-label': 'Go' }),
          ],
        };
        window.show = (name) => {
          window.stop?.();
          const view = { name: 'x', started: true, blocks: shown[name]() };
          const store = { get: () => view, subscribe: (listen) => (listen(view), () => {}) };
          window.stop = showFlows({ flows: ['x'], live: true, report() {}, flow: () => store });
        };`,
    });
    const buttonsIn = async (name: string, open?: () => Promise<void>): Promise<void> => {
      await page.evaluate(`show('${name}')`);
      await open?.();
      const main = page.locator('waymark-layer .button.main').filter({ visible: true });
      await main.waitFor();
      if (name === 'list') await main.scrollIntoViewIfNeeded();
      const { y, height } = (await main.boundingBox())!;
      // Where it is long itself, its beginning is there.
      expect([name, y >= 0 && y + Math.min(height, 30) <= 420]).toEqual([name, true]);
      await main.click({ position: { x: 10, y: 10 } });
      expect(await page.evaluate('window.acted')).toMatch(/^x\./);
    };
    await page.waitForFunction('window.show');
    await buttonsIn('modal');
    await buttonsIn('card');
    await buttonsIn('tour');
    await buttonsIn('hints', () => page.locator('[part=mark]').click());
    await buttonsIn('list', () => page.locator('[part=launcher]').click());
    await page.evaluate("show('many')");
    await page
      .getByRole('dialog', { name: 'Over all' })
      .getByRole('button', { name: 'Go' })
      .click();
    await page.evaluate('stop()');
    await page.getByLabel('A field').fill('typed');
    expect(await page.locator('waymark-layer').count()).toBe(0);
  });

  test('rules of a page for all elements, a hostile prototype and an overridden name do not take it apart (N5)', async () => {
    const page = await here.show({
      flows: 'hello note',
      head: `<style>body > *, waymark-layer, waymark-corner, dialog, [popover] { display: none !important; visibility: hidden !important; opacity: 0 !important } main { display: block !important } * { color: red !important; opacity: 1; position: relative; font-size: 40px !important } waymark-layer { display: block }</style>`,
      html: `<img name="getElementById"><form name="body"></form>
        <script>Object.prototype.title = 'polluted'; Object.prototype.item = () => {}; Array.prototype.toJSON = () => 'no'; Array.prototype.extra = 1; window.Node = window.Text = undefined;</script>`,
    });
    await page.getByRole('dialog', { name: 'Welcome' }).waitFor();
    expect(
      await page.evaluate(`(() => {
        const { shadowRoot } = document.querySelector('waymark-layer');
        const { fontSize, color } = getComputedStyle(shadowRoot.querySelector('h2'));
        return [fontSize, color];
      })()`),
    ).toEqual(['20px', 'rgb(24, 24, 29)']);
  });

  test('names in the markup hide nothing from them, a taken registry costs only slots, and an emptied body gets all back (N1, N3)', async () => {
    const names = ['body', 'querySelector', 'querySelectorAll', 'createElement', 'activeElement'];
    const page = await here.show({
      flows: 'round note',
      head: `<script>customElements.define = () => { throw new Error('taken') }</script>`,
      html: `<p data-waymark="one">One</p>${names.map((name) => `<img name="${name}">`).join('')}`,
    });
    await page.waitForFunction(
      `[...Document.prototype.querySelectorAll.call(document, 'waymark-layer')].filter(({ shadowRoot }) =>
        shadowRoot.querySelector('.popover, .card')?.checkVisibility({ visibilityProperty: true })).length === 2`,
    );
    await page.evaluate(
      `document.getElementsByTagName('body')[0].innerHTML = '<p data-waymark="one">Again</p>'`,
    );
    await page.getByRole('region', { name: 'A tip' }).waitFor();
    await page.getByRole('dialog', { name: 'The first' }).waitFor();
    expect(here.said).toEqual([]);
  });

  test('a tag that lacks something says so, and a page that has no tag may import the file (N1)', async () => {
    const page = await here.show({ flows: '', tag: '' });
    await until(() => here.said.length > 0);
    expect(here.said).toEqual(['the tag of Waymark lacks data-flows']);
    expect(
      await page.evaluate(
        `import('${here.service.url}/elements.js').then((module) => Object.keys(module).sort())`,
      ),
    ).toEqual(['createWaymark', 'showFlows']);
  });

  test('a browser that is too old is told so once, and shows nothing (N5)', async () => {
    const page = await here.show({
      flows: '',
      script: `
        delete HTMLElement.prototype.showPopover;
        import('${here.service.url}/elements.js').then(({ createWaymark, showFlows }) => {
          window.heard = [];
          const client = createWaymark({ url: URL_, key: KEY, user: USER, flows: ['hello'], onError: ({ code }) => heard.push(code) });
          showFlows(client);
        });`,
    });
    await page.waitForFunction('window.heard?.length === 1');
    await until(async () => (await here.countEvents('hello')) === 1);
    expect(await page.evaluate('heard')).toEqual(['browser_too_old']);
    expect(await page.locator('waymark-layer').count()).toBe(0);
  });
});
