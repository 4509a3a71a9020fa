import { createRequire } from 'node:module';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, findMissing, launchBrowser, type Page } from '@waymark/testing/browser';
import { defineFlow, modal } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { commitExamples } from './commit-examples.js';
import { type ExampleApp, startExampleApp } from './example-app.js';
import { Identity, seconds } from './identity.js';
import { LiveReplicas } from './live-replicas.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** A token is refused half a minute after its `exp` (V3). */
const LEEWAY = 30;
const LIFE = 4;

const missing = findMissing('react-modal');
const describeInBrowser = missing === '' ? describe : describe.skip;

describeInBrowser('the published SDKs in Chromium, where users are verified', () => {
  let live: LiveReplicas;
  let browser: Browser;
  let identity: Identity;
  let app: ExampleApp;
  let backend: Server;
  /** Tokens given out, by user; the page gets the next one only after the last has expired. */
  const given: string[] = [];
  /** No token is given before. */
  let mayGive = Promise.resolve();
  let plain: Server;

  beforeAll(async () => {
    live = await LiveReplicas.open(1);
    await commitExamples(live, 'onboarding');
    await live.commit(
      defineFlow({
        flow: 'hello',
        blocks: { welcome: modal({ complete: 'finish', dismiss: 'finish' }) },
      }),
    );
    for (const user of ['ada', 'bob'])
      await live.fixture.identify(user, { plan: 'pro', roles: ['Admin'] });
    identity = await Identity.open(live.fixture.dataSource);
    await identity.verify('required');
    await until(async () => (await ask('GET', 'ada', identity.publicKey)).status === 401);
    browser = await launchBrowser();
    backend = await serve(async (url) => {
      await mayGive;
      return { type: 'application/json', text: giveToken(url.searchParams.get('user')!) };
    });
    app = await startExampleApp(live.url(), identity.publicKey, { tokenUrl: addressOf(backend) });
    plain = await serve(() => ({
      type: 'text/html',
      text: `<body><script>${bundleOfSdk(live.url())}</script>`,
    }));
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
    for (const server of [backend, plain]) server.close();
    await live.close();
  });

  const giveToken = (user: string): string => {
    given.push(user);
    return JSON.stringify({
      token: identity.token(user, { exp: seconds() - LEEWAY + LIFE }),
      renewInSeconds: LIFE + 3,
    });
  };
  const ask = (method: string, user: string, key: string, rest = '?') =>
    call(
      { url: live.url() },
      `${method} /v2/flow/onboarding${rest}userIdentifier=${user}&version=1`,
      {
        key,
        ...(method === 'POST' && { body: {} }),
      },
    );
  const reset = (user: string) => ask('POST', user, identity.secretKey, '/reset?');
  const open = async (url: string): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(url);
    return page;
  };
  const modalIs = (page: Page, state: 'visible' | 'hidden') =>
    page.getByRole('dialog').waitFor({ state });

  test('@dopt/react works with a token, loses its socket when it expires, and goes on with the next one (V7, V9)', async () => {
    const page = await open(`${app.url}/?user=ada`);
    await modalIs(page, 'visible');
    await page.getByRole('button', { name: 'Not now', exact: true }).click();
    await modalIs(page, 'hidden');
    const before = given.length;
    let give = (): void => undefined;
    mayGive = new Promise((resolve) => (give = resolve));
    await until(async () => (await openSockets()) === 0);
    give();
    await until(() => given.length > before);
    await until(async () => (await openSockets()) === 1);
    await reset('ada');
    await modalIs(page, 'visible');
    await page.getByRole('button', { name: 'Not now', exact: true }).click();
    await modalIs(page, 'hidden');
  });

  test('a console on that page can do nothing to Bob, with the key and the token that are in it (V6)', async () => {
    const page = await open(`${app.url}/?user=ada`);
    const key = identity.page('ada');
    const statuses = await inPage(page, ATTACK_BOB, { url: live.url(), key });
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401]);
    expect(
      await live.fixture.dataSource.query(
        "SELECT 1 FROM users u JOIN flow_states USING (user_id) WHERE identifier = 'bob'",
      ),
    ).toEqual([]);
  });

  test('@dopt/javascript goes on with a fresh token after `initialize` (V9)', async () => {
    const { page, old } = await openInTime();
    expect(await page.evaluate("dopt.modal('hello.welcome').active")).toBe(true);
    await until(() => isRefused(old));
    await inPage(page, '(config) => dopt.initialize(config)', { apiKey: identity.page('ada') });
    await page.evaluate("dopt.modal('hello.welcome').dismiss()");
    await until(async () => (await read('hello.welcome'))['dismiss'] === true);
  });

  /**
   * A page that was let in by its token; again with one that lives longer, where it had expired by
   * then.
   */
  async function openInTime(life = LIFE): Promise<{ page: Page; old: string }> {
    const page = await open(addressOf(plain));
    const old = identity.page('ada', { exp: seconds() - LEEWAY + life });
    const start = { apiKey: old, userId: 'ada', flowVersions: { hello: 1 } };
    const letIn = inPage(
      page,
      '(config) => (window.dopt = new Dopt(config)).initialized()',
      start,
    ).then(() => true);
    const late = until(() => isRefused(old)).then(() => false);
    return (await Promise.race([letIn, late])) ? { page, old } : openInTime(2 * life);
  }
  const isRefused = async (key: string) =>
    (await call({ url: live.url() }, 'GET /v2/flow/hello?userIdentifier=ada&version=1', { key }))
      .status === 401;

  const read = async (block: string) =>
    (
      (
        await call({ url: live.url() }, `GET /v2/block/${block}?userIdentifier=ada&version=1`, {
          key: identity.secretKey,
        })
      ).body as { transitioned: Record<string, boolean> }
    ).transitioned;

  const openSockets = async (): Promise<number> => {
    const text = await (await fetch(`${live.services[0]!.metricsUrl}/metrics`)).text();
    return Number(/waymark_live_sockets\S* (\d+)/.exec(text)![1]);
  };
});

const inPage = (page: Page, functionText: string, argument: object) =>
  page.evaluate(`(${functionText})(${JSON.stringify(argument)})`);

/** What somebody writes into the console of Ada's page. */
const ATTACK_BOB = `async ({ url, key }) => {
  const ask = async (method, path) =>
    (await fetch(url + path + '&userIdentifier=bob', { method, headers: { 'x-api-key': key } })).status;
  return [
    await ask('GET', '/v2/flow/onboarding?version=1&include=block'),
    await ask('POST', '/v2/flow/onboarding/start?version=1&force=true'),
    await ask('POST', '/v2/flow/onboarding/reset?version=1'),
    await ask('POST', '/v2/flow/onboarding/finish?version=1'),
    await ask('GET', '/v2/block/onboarding.welcome?version=1'),
    await ask('POST', '/v2/block/onboarding.welcome/transition?version=1&transitions=dismiss'),
    await ask('GET', '/v2/flows?flow=onboarding'),
  ];
}`;

const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

type ServedAnswer = { type: string; text: string };

async function serve(answer: (url: URL) => ServedAnswer | Promise<ServedAnswer>): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { type, text } = await answer(new URL(request.url!, 'http://localhost'));
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** @dopt/javascript as published but for its host, as one script. */
function bundleOfSdk(host: string): string {
  const require = createRequire(import.meta.url);
  const { buildSync } = require('esbuild') as {
    buildSync(options: object): { outputFiles: { text: string }[] };
  };
  const contents = "import { Dopt } from '@dopt/javascript'; window.Dopt = Dopt;";
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: path.join(ROOT, 'apps/blocks-api') },
    bundle: true,
    write: false,
    format: 'iife',
  });
  return outputFiles[0]!.text
    .replaceAll('https://blocks.dopt.com', host)
    .replaceAll('</script', '<\\/script');
}
