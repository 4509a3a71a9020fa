import { createPrivateKey } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSigner, setVerification } from '@waymark/domain/access';
import { type Command, EMPTY_STATE, type FlowState } from '@waymark/domain/engine';
import { loadFlowVersion } from '@waymark/domain/flows';
import { exampleFolder, findBarriers, findMissing, type Page } from '@waymark/testing/browser';
import { fc } from '@waymark/testing/properties';
import { referenceStep } from '@waymark/testing/reference';
import { until, untilSoon } from '@waymark/testing/services';
import { mintToken } from '@waymark/testing/tokens';
import { ElementsFixture } from './elements-fixture.js';
import { FLOWS } from './sample-flows.js';

const missing = findMissing('react-modal');
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const ROOT = path.resolve(import.meta.dirname, '../../..');
const AUTHOR = { by: 'test' };

/** Every type, and ways back to the beginning. */
const MAZE = `
  flow: maze
  start: hello
  blocks:
    hello:
      type: modal
      fields: { title: Hello, complete-label: Go, dismiss-label: No }
      paths: { complete: [list, round, spots], dismiss: note }
    list:
      type: checklist
      fields: { title: To do }
      items: { photo: { fields: { skip-label: Skip it } }, team: {} }
      paths: { complete: note, dismiss: note }
    round:
      type: tour
      items: { one: { fields: { skip-label: Skip it } }, two: {} }
      paths: { complete: hello, dismiss: note }
    spots:
      type: hints
      items: { save: {}, share: {} }
      paths: { complete: hello, dismiss: note }
    note:
      type: card
      fields: { title: A note, complete-label: Again, dismiss-label: Never }
      paths: { complete: hello, dismiss: finish }
`;
const ANCHORS = `<p data-waymark="one">One</p><p data-waymark="two">Two</p><p data-waymark="second" id="second">Two</p>
  <button data-waymark="save">Save</button> <button data-waymark="share">Share</button>`;

/** As docs/clients.md has it. */
const REACT = `
  import { createElement, StrictMode, useEffect } from 'react';
  import { createRoot } from 'react-dom/client';
  import { createWaymark } from '@waymark/client';
  import { showFlows } from '@waymark/elements';
  window.mount = (options) => {
    const waymark = createWaymark(options);
    const App = () => (useEffect(() => showFlows(waymark), [waymark]), createElement('h1', {}, 'In React'));
    const root = createRoot(document.querySelector('main'));
    root.render(createElement(StrictMode, {}, createElement(App)));
    window.unmount = () => root.unmount();
  };`;
const VUE = `
  import { createApp, h, onMounted, onUnmounted } from 'vue';
  import { createWaymark } from '@waymark/client';
  import { showFlows } from '@waymark/elements';
  window.mount = (options) => {
    const waymark = createWaymark(options);
    const app = createApp({
      setup() {
        onMounted(() => onUnmounted(showFlows(waymark)));
        return () => h('h1', 'In Vue');
      },
    });
    app.mount('main');
    window.unmount = () => app.unmount();
  };`;
const SDK = "import { Dopt } from '@dopt/javascript'; window.Dopt = Dopt;";

type Element = (type: string, props: object, ...children: unknown[]) => unknown;

/** A whole page of React, for the server and, as text, for the browser. */
const drawPage = (h: Element, script: object): unknown =>
  h(
    'html',
    { lang: 'en' },
    h('head', {}, h('title', {}, 'Page'), h('link', { rel: 'icon', href: 'data:,' })),
    h(
      'body',
      {},
      h('h1', {}, 'In React'),
      h('waymark-block', { name: 'note.tip' }),
      h('div', { id: 'sdk' }),
      h('script', script),
    ),
  );
const HYDRATED = `
  import { createElement as h, StrictMode } from 'react';
  import { hydrateRoot } from 'react-dom/client';
  const drawPage = ${drawPage.toString()};
  window.hydrate = () => {
    const { attributes } = document.querySelector('script[data-key]');
    const script = Object.fromEntries([...attributes].map(({ name, value }) => [name, value]));
    const App = () => drawPage(h, script);
    const onRecoverableError = (error) => console.error(error.message);
    window.root = hydrateRoot(document, h(StrictMode, {}, h(App)), { onRecoverableError });
  };`;
/** The published SDK, in a page whose elements are of the same user. */
const BESIDE = `
  import { createElement as h, StrictMode } from 'react';
  import { createRoot } from 'react-dom/client';
  import { DoptProvider, useBlock } from '@dopt/react';
  const App = () => {
    const [welcome, transition] = useBlock('hello.welcome');
    const [second] = useBlock('hello.second');
    const text = [welcome, second].map(({ state }) => (state.active ? 'on' : 'off')).join(' ');
    return h('button', { id: 'beside', onClick: () => transition('complete') }, text);
  };
  window.mountSdk = (apiKey, userId) =>
    createRoot(document.querySelector('main')).render(
      h(StrictMode, {}, h(DoptProvider, { apiKey, userId, flowVersions: { hello: 1 } }, h(App))));`;

/** A script tag with everything in it. */
function inline(contents: string, resolveDir: string): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as {
    buildSync(options: object): { outputFiles: { text: string }[] };
  };
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: path.resolve(ROOT, resolveDir) },
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return `<script>${outputFiles[0]!.text.replaceAll('</script', '<\\/script')}</script>`;
}

/** In two languages. */
const SPOKEN = `
  flow: spoken
  language: en
  start: said
  blocks:
    said:
      type: checklist
      fields: { title: Tips }
      items: { first: { fields: { title: One } } }
      paths: { 'complete,dismiss': finish }
  languages:
    de: { said: { title: Tipps } }
`;

describeInBrowser('the elements in pages of others', () => {
  let here: ElementsFixture;
  beforeAll(async () => {
    here = await ElementsFixture.open([...Object.values(FLOWS), MAZE, SPOKEN]);
  });
  afterAll(() => here.close());
  beforeEach(async () => {
    await here.newPerson();
    await here.newUser();
  });

  const at = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const taken = (flow: string, count: number) =>
    until(async () => (await here.countEvents(flow)) === count);

  const REACT_18 = exampleFolder('react-modal');

  test.each([
    ['React 18 in StrictMode', REACT, REACT_18],
    ['React 19 in StrictMode', REACT, 'libs/elements'],
    ['Vue', VUE, 'libs/elements'],
  ])(
    '%s shows each block once, and takes it along when it leaves (N8, N12)',
    async (_, code, folder) => {
      const page = await here.show({
        flows: '',
        head: inline(code, folder),
        script:
          'window.again = () => mount({ url: URL_, key: KEY, user: USER, flows: ["hello", "note"] }); again()',
      });
      await at(page, 'Welcome').waitFor();
      await page.getByRole('region', { name: 'A tip' }).waitFor();
      expect(await page.locator('waymark-layer').count()).toBe(2);
      await press(page, 'Show me');
      await at(page, 'Message').waitFor();
      await taken('hello', 2);
      await page.evaluate('unmount()');
      expect(await page.locator('waymark-layer, waymark-corner').count()).toBe(0);
      await page.evaluate('again()');
      await at(page, 'Message').waitFor();
      expect(await page.locator('waymark-layer').count()).toBe(2);
      expect(here.said.filter((text) => !/DevTools|__VUE/.test(text))).toEqual([]);
    },
  );

  test.each([
    ['18', REACT_18],
    ['19', path.join(ROOT, 'libs/elements')],
  ])(
    'React %s hydrates a whole document in which they are shown already, and leaves them there (N12)',
    async (_, folder) => {
      const require = createRequire(path.join(folder, 'index.js'));
      const { createElement } = require('react') as { createElement: Element };
      const { renderToString } = require('react-dom/server') as {
        renderToString(page: unknown): string;
      };
      const html = renderToString(
        drawPage(createElement, {
          type: 'module',
          src: `${here.service.url}/elements.js`,
          'data-key': here.key,
          'data-user': await here.newUser(),
          'data-flows': 'hello note',
        }),
      );
      const script = inline(HYDRATED, folder);
      const page = await here.show({
        flows: '',
        document: `<!doctype html>${html.replace('</head>', () => `${script}</head>`)}`,
      });
      await at(page, 'Welcome').waitFor();
      const card = page.locator('waymark-block').getByRole('region', { name: 'A tip' });
      await card.waitFor();
      await page.evaluate('hydrate()');
      await page.waitForFunction(
        "Object.keys(document.querySelector('h1')).some((key) => key.startsWith('__reactFiber'))",
      );
      await press(page, 'Show me');
      await at(page, 'Message').waitFor();
      await press(page, 'Close');
      await page.getByRole('button', { name: 'Fine' }).click();
      await card.waitFor({ state: 'detached' });
      expect(here.said.filter((text) => !text.includes('DevTools'))).toEqual([]);
    },
  );

  test('@dopt/react beside them, of the same user, tells them what it does, and hears what they do (N12)', async () => {
    const head = inline(BESIDE, REACT_18).replaceAll('https://blocks.dopt.com', here.service.url);
    const page = await here.show({ flows: 'hello', head });
    await at(page, 'Welcome').waitFor();
    await page.evaluate(
      "(({ key, user }) => mountSdk(key, user))(document.querySelector('[data-key]').dataset)",
    );
    const beside = (text: string) =>
      page.waitForFunction(`document.querySelector('#beside')?.textContent === '${text}'`);
    await beside('on off');
    await page.evaluate("document.querySelector('#beside').click()");
    await at(page, 'Message').waitFor();
    await beside('off on');
    await press(page, 'Close');
    await beside('off off');
    await taken('hello', 3);
  });

  test('@dopt/javascript beside them tells them what it does, and hears what they do (N12)', async () => {
    const head = inline(SDK, 'apps/blocks-api').replaceAll(
      'https://blocks.dopt.com',
      here.service.url,
    );
    const page = await here.show({ flows: 'hello', head });
    await at(page, 'Welcome').waitFor();
    await page.evaluate(
      `(window.dopt = new Dopt({ apiKey: document.querySelector('[data-key]').dataset.key, userId: document.querySelector('[data-key]').dataset.user, flowVersions: { hello: 1 } })).initialized()`,
    );
    await page.evaluate("dopt.modal('hello.welcome').complete()");
    await at(page, 'Message').waitFor();
    await press(page, 'Close');
    await page.waitForFunction("dopt.modal('hello.second').active === false");
    await taken('hello', 3);
  });

  test('what is clicked offline leads on when the network is back, and is counted once (N12)', async () => {
    const page = await here.show({ flows: 'hello' });
    await at(page, 'Welcome').waitFor();
    await page.context().setOffline(true);
    await press(page, 'Show me');
    await at(page, 'Welcome').waitFor({ state: 'detached' });
    expect(await here.countEvents('hello')).toBe(1);
    await page.context().setOffline(false);
    await at(page, 'Message').waitFor();
    await press(page, 'Close');
    await taken('hello', 3);
  });

  test.each([
    ['at 200 % zoom', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
    ['at 320 px', { viewport: { width: 320, height: 568 } }],
    ['in forced colours', { forcedColors: 'active' }],
    ['right to left', { locale: 'ar' }],
  ] as const)('everything is in the window and can be reached, %s (N5)', async (name, options) => {
    await here.newPerson({ ...options, reducedMotion: 'reduce' });
    const attributes = name === 'right to left' ? 'dir="rtl"' : '';
    const inWindow = async (page: Page, selector: string) => {
      const box = (await page.locator(selector).first().boundingBox())!;
      const { width, height } = page.viewportSize()!;
      expect([box.x >= 0, box.y >= 0]).toEqual([true, true]);
      expect([box.x + box.width <= width, box.y + box.height <= height]).toEqual([true, true]);
    };
    const html = `<h1>Page</h1>${ANCHORS}`;
    const modal = await here.show({ flows: 'hello', attributes, html });
    await at(modal, 'Welcome').waitFor();
    await inWindow(modal, 'dialog');
    expect(await findBarriers(modal)).toEqual([]);
    await picture(modal, `modal ${name}`);
    const page = await here.show({ flows: 'todo round spots note', attributes, html });
    await at(page, 'The first').waitFor();
    await inWindow(page, '[part=tour]');
    await picture(page, `tour ${name}`);
    await press(page, 'Close');
    await press(page, 'Saving');
    await inWindow(page, '[part=hint]');
    await picture(page, `hint ${name}`);
    await page.keyboard.press('Escape');
    await press(page, 'First steps 0 of 2 done');
    await page.getByRole('progressbar').waitFor();
    await inWindow(page, '[part=checklist]');
    // Nothing but what is done has a tick, whatever becomes of colours.
    expect(await page.locator('[part=tick] svg').filter({ visible: true }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await picture(page, `checklist ${name}`);
  });

  test.each([
    ['de-AT', '', 'Tipps 0 von 1 erledigt', 'de'],
    ['ja', ' data-language="de"', 'Tipps 0 von 1 erledigt', 'de'],
    // It has no French text.
    ['de', ' data-language="fr"', 'Tips 0 sur 1 terminés', 'en'],
  ])(
    'texts are marked with the language that they are in, in a browser of %s%s (X3)',
    async (locale, tag, name, language) => {
      await here.newPerson({ locale });
      const page = await here.show({ flows: 'spoken', tag });
      await page.getByRole('button', { name, exact: true }).waitFor();
      expect(await page.locator('waymark-layer').getAttribute('lang')).toBe(language);
    },
  );

  /**
   * `ELEMENTS_PICTURES=pictures node tools/test.mjs libs/elements/e2e/hosts` writes them, to be
   * looked at.
   */
  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env['ELEMENTS_PICTURES'];
    if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
  }

  test('random walks through the elements end in the state of the reference engine (N12)', async () => {
    const { definition } = await loadFlowVersion(here.fixture.dataSource.manager, 'maze', 1);
    const uidOf = new Map(
      definition.blocks.flatMap((block) => [
        [block.id, block.uid] as const,
        ...('items' in block ? block.items.map(({ id, uid }) => [id, uid] as const) : []),
      ]),
    );
    const context = {
      now: Date.now(),
      user: { identifier: 'walker', properties: {}, createdAt: 0, updatedAt: 0 },
      group: null,
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), async (choices) => {
        await here.newPerson({ reducedMotion: 'reduce' });
        const user = await here.newUser();
        const page = await here.show({ flows: 'maze', html: ANCHORS });
        const commands: Command[] = [];
        let underWay = 0;
        page.on('request', (request) => {
          const [, block] = /block\/maze\.([^/]+)\/transition/.exec(request.url()) ?? [];
          if (!block || request.method() !== 'POST') return;
          underWay++;
          const names = new URL(request.url()).searchParams.getAll('transitions');
          commands.push({ kind: 'transition', block: uidOf.get(block)!, names });
        });
        const settle = (request: { method(): string; url(): string }) => {
          if (request.method() === 'POST' && request.url().includes('/transition')) underWay--;
        };
        page.on('requestfinished', settle);
        page.on('requestfailed', settle);
        await at(page, 'Hello').waitFor();
        for (const choice of choices) {
          // Handles, since the layer may draw anew between the count and the click.
          const buttons = await page
            .locator('waymark-layer button')
            .filter({ visible: true })
            .elementHandles();
          if (buttons.length === 0) break;
          await buttons[choice % buttons.length]!.dispatchEvent('click');
          await until(() => underWay === 0);
        }
        const reference = (): FlowState => {
          const start = { kind: 'start', force: true } as const;
          return [start, ...commands].reduce<FlowState>(
            (state, command) => referenceStep(definition, state, command, context).state,
            EMPTY_STATE,
          );
        };
        const stored = async () => (await here.fixture.findState(user, 'maze', 1))?.state;
        // The last click may still be on its way.
        await untilSoon('in the state of the reference engine', async () =>
          isDeepStrictEqual(await stored(), reference()),
        );
        expect(here.said).toEqual([]);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  test('a token that has ended is asked for again, and what was clicked counts (N1, N12)', async () => {
    const { dataSource } = here.fixture;
    const signer = await createSigner(
      dataSource,
      { environment: 'development', name: 'app' },
      AUTHOR,
    );
    await setVerification(dataSource, 'development', 'required', AUTHOR);
    const user = await here.newUser();
    const key = createPrivateKey(signer.privateKey);
    const mint = (seconds: number) =>
      mintToken({
        claims: { sub: user, aud: 'development', exp: Math.floor(Date.now() / 1000) + seconds },
        key,
      });
    let asked = 0;
    await here.person.route(`${here.pagesUrl}/token`, (route) =>
      // The first one has ended already.
      route.fulfill({ body: mint(asked++ === 0 ? -3_600 : 3_600) }),
    );
    const page = await here.show({ flows: 'hello', tag: 'data-token-url="/token"' });
    await press(page, 'Show me');
    await at(page, 'Message').waitFor();
    await taken('hello', 2);
    expect(asked).toBeGreaterThan(1);
  });
});
