import { sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createSigner, setVerification } from '@waymark/domain/access';
import { custom, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { ClientFixture } from './client-fixture.js';

let here: ClientFixture;
let privateKey: string;

/** What a verifier forgives a clock. */
const LEEWAY_S = 30;
const AUTHOR = { by: 'test' };

beforeAll(async () => {
  here = await ClientFixture.open(
    defineFlow({ flow: 'counter', blocks: { tick: custom({ tick: 'tick' }) } }),
  );
  const { dataSource } = here.fixture;
  ({ privateKey } = await createSigner(
    dataSource,
    { environment: 'development', name: 'web' },
    AUTHOR,
  ));
  await setVerification(dataSource, 'development', 'required', AUTHOR);
});
afterAll(() => here.close());
afterEach(() => here.closePages());

/** A token that is refused after so many seconds. */
function mint(user: string, seconds: number): string {
  const claims = {
    sub: user,
    aud: 'development',
    exp: Math.floor(Date.now() / 1000) - LEEWAY_S + seconds,
  };
  const text = [{ alg: 'EdDSA', kid: 'web' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

/** The service is the one who says when. */
async function isRefused(user: string, token: string): Promise<boolean> {
  const path = `/v2/flow/counter?userIdentifier=${user}&version=1`;
  return (await call(here.service, `GET ${path}`, { key: `${here.key}.${token}` })).status === 401;
}

test('tokens that expire in the middle of a session are renewed, over HTTP and the socket, and no click is lost (C1, V4, V7)', async () => {
  const user = await here.newUser();
  const minted: string[] = [];
  const token = () => {
    // Each lives a little longer, until even a slow machine uses one before it is refused.
    minted.push(mint(user, 3 + minted.length));
    return minted.at(-1)!;
  };
  const page = here.openPage(user, { flows: ['counter'], token });
  await page.ready;
  const clicks: Promise<boolean>[] = [];
  for (let round = 0; round < 3; round++) {
    const known = minted.at(-1)!;
    clicks.push(page.block('counter.tick').get().transition('tick'));
    await until(() => isRefused(user, known));
    clicks.push(page.block('counter.tick').get().transition('tick'));
    await until(() => minted.at(-1) !== known);
  }
  expect(await Promise.all(clicks)).toEqual(clicks.map(() => true));
  expect((await here.countEvents(user, 'counter')) - 1).toBe(clicks.length);
  const { revision } = (await here.fixture.findState(user, 'counter', 1))!;
  expect(revision).toBe(clicks.length + 1);
});

test('a token of somebody else shows nothing and says why; a good one shows everything (C1, V6)', async () => {
  const user = await here.newUser();
  let subject = 'somebody-else';
  const page = here.openPage(user, { flows: ['counter'], token: () => mint(subject, 600) });
  const ready = page.ready;
  await until(() => page.errors.length > 0);
  expect(page.errors[0]).toMatchObject({ status: 401, code: 'unauthorized_error' });
  expect(page.block('counter.tick').get().active).toBe(false);
  subject = user;
  await page.refresh();
  await ready;
  expect(page.block('counter.tick').get().active).toBe(true);
});
