import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findMissing, type Page } from '@waymark/testing/browser';
import { until } from '@waymark/testing/services';
import { ElementsFixture } from './elements-fixture.js';
import { FLOWS } from './sample-flows.js';

const missing = findMissing();
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const BAD = `
  flow: bad
  start: tour
  blocks:
    tour:
      type: tour
      items: { lost: { fields: { title: Lost, anchor: 'p[' } } }
      paths: { 'complete,dismiss': finish }
`;

describeInBrowser('anchors and turns in Chromium', () => {
  let here: ElementsFixture;
  let complaints: string[];
  beforeAll(async () => {
    here = await ElementsFixture.open([FLOWS.hello, FLOWS.note, FLOWS.round, FLOWS.spots, BAD]);
  });
  afterAll(() => here.close());
  beforeEach(async () => {
    await here.newPerson();
    await here.newUser();
    complaints = [];
  });
  afterEach(() => expect(here.said.filter((text) => !complaints.includes(text))).toEqual([]));

  const at = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const run = (page: Page, code: string) => page.evaluate(code);
  /** How the dialog lies to an element: below, above, and so on, or over it. */
  const sideOf = async (page: Page, name: string, selector: string): Promise<string> => {
    const [popover, anchor] = await Promise.all([
      at(page, name).boundingBox(),
      page.locator(selector).boundingBox(),
    ]);
    if (!popover || !anchor) return 'hidden';
    if (popover.y >= anchor.y + anchor.height) return 'below';
    if (popover.y + popover.height <= anchor.y) return 'above';
    return popover.x >= anchor.x + anchor.width || popover.x + popover.width <= anchor.x
      ? 'beside'
      : 'over';
  };

  test('an anchor may come late, be hidden, come again and vanish; its item is there when it is (N3, N4)', async () => {
    const page = await here.show({ flows: 'round', html: '<p data-waymark="one" hidden>One</p>' });
    await until(async () => (await here.countEvents('round')) === 1);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await run(page, "document.querySelector('[data-waymark]').hidden = false");
    await at(page, 'The first').waitFor();
    await run(page, "document.querySelector('[data-waymark]').style.visibility = 'hidden'");
    await at(page, 'The first').waitFor({ state: 'detached' });
    await run(page, "document.querySelector('[data-waymark]').style.visibility = ''");
    await at(page, 'The first').waitFor();
    await run(page, "document.querySelector('[data-waymark]').remove()");
    await at(page, 'The first').waitFor({ state: 'detached' });
    // The most exact name comes first, whatever stands before it.
    await run(
      page,
      `document.querySelector('main').innerHTML = '<p data-waymark="one" style="margin-top:200px">By item</p><p id="exact" data-waymark="round.one">By flow</p>'`,
    );
    await until(async () => (await sideOf(page, 'The first', '#exact')) === 'below');
  });

  test('the popover follows an anchor that moves and scrolls, turns at the edges, and hides with it (N3)', async () => {
    const page = await here.show({
      flows: 'round',
      html: `<div id="box" style="height:300px;overflow:auto;border:1px solid"><div style="height:900px"></div><p id="anchor" data-waymark="one" style="width:120px">One</p><div style="height:900px"></div></div>`,
    });
    // It was scrolled into view, once.
    await at(page, 'The first').waitFor();
    await until(async () => (await sideOf(page, 'The first', '#anchor')) === 'below');
    await run(page, "document.querySelector('#box').scrollTop = 0");
    await until(async () => !(await at(page, 'The first').isVisible()));
    await run(page, "document.querySelector('#box').scrollTop = 800");
    await until(async () => (await sideOf(page, 'The first', '#anchor')) === 'below');
    const anchor = page.locator('#anchor');
    await run(
      page,
      "Object.assign(document.querySelector('#anchor').style, { position: 'fixed', bottom: '4px', left: '300px' })",
    );
    await until(async () => (await sideOf(page, 'The first', '#anchor')) === 'above');
    const middleOf = async (locator: typeof anchor): Promise<number> => {
      const { x, width } = (await locator.boundingBox())!;
      return x + width / 2;
    };
    const popover = at(page, 'The first');
    await until(async () => Math.abs((await middleOf(popover)) - (await middleOf(anchor))) < 2);
    // The window is too small for both.
    await run(
      page,
      "Object.assign(document.querySelector('#anchor').style, { top: '4px', left: '4px', right: '4px', width: 'auto' })",
    );
    await until(async () => (await sideOf(page, 'The first', '#anchor')) === 'over');
    const foot = (await at(page, 'The first').boundingBox())!;
    expect(Math.round(foot.y + foot.height)).toBe(640 - 12);
  });

  test('a body that moves or zooms what is fixed in it moves neither cards nor marks, and modals stay above (N2, N3)', async () => {
    const page = await here.show({
      flows: 'note spots',
      head: '<style>body { margin: 40px; height: 3000px } main { padding-top: 900px }</style>',
      html: '<button id="save" data-waymark="save">Save</button><button data-waymark="share">Share</button><dialog id="own"><p>Own</p></dialog>',
    });
    const card = page.getByRole('region', { name: 'A tip' });
    const mark = page.getByRole('button', { name: 'Saving', exact: true });
    const middleOf = ({ x, y, width, height }: { [name: string]: number }) => [
      x! + width! / 2,
      y! + height! / 2,
    ];
    /**
     * Whether the card is in the corner of the window, and the mark on the corner of its anchor.
     */
    const stands = async (): Promise<boolean> => {
      const [inCorner, onAnchor, anchor] = await Promise.all([
        card.boundingBox(),
        mark.boundingBox(),
        page.locator('#save').boundingBox(),
      ]);
      const [x, y] = middleOf({ ...onAnchor! }) as [number, number];
      return (
        Math.abs(inCorner!.y + inCorner!.height - 624) < 4 &&
        Math.abs(x - anchor!.x - anchor!.width) < 2 &&
        Math.abs(y - anchor!.y) < 2
      );
    };
    const isOnTop = () =>
      page.evaluate<boolean>("document.querySelector('waymark-corner').matches(':popover-open')");
    await card.waitFor();
    await run(page, 'scrollTo(0, 600)');
    await until(stands);
    expect(await isOnTop()).toBe(false);
    for (const rule of [
      'transform: translateX(30px)',
      'filter: saturate(.9)',
      'contain: layout',
      'will-change: transform',
      'zoom: .8',
    ]) {
      await run(page, `document.body.style.cssText = '${rule}'`);
      await until(stands);
      await run(page, 'scrollTo(0, 700)');
      await until(stands);
      await run(page, `document.body.style.cssText = ''; scrollTo(0, 600)`);
      await until(async () => !(await isOnTop()));
      await until(stands);
    }
    // A modal of the page is above, whichever came first.
    const isCovered = () =>
      page.evaluate<boolean>(
        "document.elementFromPoint(innerWidth - 60, innerHeight - 60).closest('waymark-corner, waymark-layer') === null",
      );
    await run(page, "document.body.style.transform = 'translateX(30px)'");
    await until(isOnTop);
    expect(await isCovered()).toBe(false);
    await run(page, "document.querySelector('#own').showModal()");
    await until(isCovered);
    await run(page, "document.body.style.transform = ''");
    await until(async () => !(await isOnTop()));
    await run(page, "document.body.style.transform = 'translateX(30px)'");
    await run(page, 'new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))');
    expect([await isOnTop(), await isCovered()]).toEqual([false, true]);
    await run(page, "document.querySelector('#own').close()");
    await until(isOnTop);
    await mark.click();
    await at(page, 'Saving').getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Fine' }).click();
    await until(async () => (await here.countEvents('note')) === 2);
  });

  test('an anchor that does not come is told of once, a selector that cannot be read too, and neither is in the way (N3)', async () => {
    complaints = [
      'bad.lost waits for its anchor: nothing that can be seen has data-waymark="lost", and its field anchor selects nothing',
      'the anchor of bad.lost is no CSS selector: p[',
    ];
    const page = await here.show({
      flows: '',
      script: `
        import { createWaymark, showFlows } from '${here.service.url}/elements.js';
        window.heard = [];
        const onError = ({ code, message }) => heard.push([code, message]);
        showFlows(createWaymark({ url: URL_, key: KEY, user: USER, flows: ['bad', 'hello'], onError }));`,
    });
    await at(page, 'Welcome').waitFor();
    await page.waitForFunction('heard.length === 2');
    await run(page, "document.body.append('something else')");
    await page.getByRole('button', { name: 'Not now' }).click();
    await until(async () => (await here.countEvents('hello')) === 2);
    expect(await run(page, 'heard')).toEqual([
      ['anchor_unreadable', complaints[1]],
      ['anchor_missing', complaints[0]],
    ]);
  });

  test('two flows at once take turns; a tour whose anchor goes makes way, and comes after (N4)', async () => {
    const page = await here.show({ flows: 'round hello', html: '<p data-waymark="one">One</p>' });
    await at(page, 'The first').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await run(page, "document.querySelector('[data-waymark]').hidden = true");
    await at(page, 'Welcome').waitFor();
    await run(page, "document.querySelector('[data-waymark]').hidden = false");
    await page.getByRole('button', { name: 'Not now' }).click();
    await at(page, 'The first').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  test('two copies of the package on one page have one turn and one place for a slot (N2, N4)', async () => {
    const copy = (number: number, flow: string) => `
      const { createWaymark, showFlows } = await import('${here.service.url}/elements.js?${number}');
      showFlows(createWaymark({ url: URL_, key: KEY, user: USER, flows: ['${flow}'] }));`;
    const page = await here.show({
      flows: '',
      html: '<p data-waymark="one">One</p>',
      // The first has the turn before the second is there.
      script: `{ ${copy(1, 'hello')} } await new Promise((go) => (window.goOn = go)); { ${copy(2, 'round')} }`,
    });
    await at(page, 'Welcome').waitFor();
    await run(page, 'goOn()');
    await until(async () => (await here.countEvents('round')) === 1);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByRole('button', { name: 'Not now' }).click();
    await at(page, 'The first').waitFor();
  });

  test('while the page has a modal dialog open, what is anchored outside waits, and what is in it is drawn in it (N6)', async () => {
    const page = await here.show({
      flows: 'round spots',
      html: `<p data-waymark="one">One</p><dialog id="own"><p id="second">Two</p><button data-waymark="save">Save</button><form method="dialog"><button>Shut</button></form></dialog>`,
    });
    await at(page, 'The first').waitFor();
    await run(page, "document.querySelector('#own').showModal()");
    await at(page, 'The first').waitFor({ state: 'detached' });
    // A hint at something in the dialog can be reached there.
    await page.getByRole('button', { name: 'Saving', exact: true }).click();
    await at(page, 'Saving').getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Shut' }).click();
    await at(page, 'The first').getByRole('button', { name: 'Next' }).click();
    await at(page, 'The second').waitFor({ state: 'detached' });
    await run(page, "document.querySelector('#own').showModal()");
    await at(page, 'The second').getByRole('button', { name: 'Next' }).click();
    await until(async () => (await here.countEvents('round')) === 3);
  });

  test('stopping takes everything away, a page that loses a part gets it back, and one flow may be shown again (N8)', async () => {
    const page = await here.show({
      flows: '',
      html: '<p data-waymark="one">One</p><button data-waymark="save">Save</button>',
      script: `
        import { createWaymark, showFlows } from '${here.service.url}/elements.js';
        const client = createWaymark({ url: URL_, key: KEY, user: USER, flows: ['round', 'spots', 'hello'] });
        window.show = () => showFlows(client);
        window.stop = show();`,
    });
    await at(page, 'The first').waitFor();
    await run(
      page,
      "document.querySelectorAll('waymark-layer').forEach((layer) => layer.remove())",
    );
    await at(page, 'The first').waitFor();
    await page.getByRole('button', { name: 'Saving' }).waitFor();
    await run(page, 'stop()');
    expect(
      await run(page, "document.querySelectorAll('waymark-layer, waymark-corner').length"),
    ).toBe(0);
    await run(page, 'show()');
    await at(page, 'The first').waitFor();
  });

  test('right to left, the mark lies where a line ends, and everything stays in a window of 320 px (N5)', async () => {
    await here.newPerson({ viewport: { width: 320, height: 500 } });
    const page = await here.show({
      flows: 'spots round',
      attributes: 'dir="rtl"',
      html: '<button id="save" data-waymark="save" style="margin:60px">Save</button><p data-waymark="one">One</p>',
    });
    const [mark, anchor] = [
      (await page.getByRole('button', { name: 'Saving' }).boundingBox())!,
      (await page.locator('#save').boundingBox())!,
    ];
    expect(Math.abs(mark.x + mark.width / 2 - anchor.x)).toBeLessThan(3);
    await at(page, 'The first').waitFor();
    const box = (await at(page, 'The first').boundingBox())!;
    expect([box.x >= 0, box.x + box.width <= 320]).toEqual([true, true]);
    expect(await run(page, 'document.documentElement.scrollWidth')).toBe(320);
  });
});
