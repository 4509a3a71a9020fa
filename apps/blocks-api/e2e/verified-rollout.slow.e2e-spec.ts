import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { custom, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { Identity } from './identity.js';
import { LiveReplicas } from './live-replicas.js';

const USERS = Array.from({ length: 20 }, (_, index) => `user-${index}`);
/** Requests of every page in each mode, at least. */
const ROUNDS = 10;

let live: LiveReplicas;
beforeAll(async () => {
  live = await LiveReplicas.open(2);
  await live.commit(
    defineFlow({ flow: 'onboarding', blocks: { welcome: custom({ again: 'welcome' }) } }),
  );
  for (const user of USERS) await live.fixture.identify(user);
});
afterAll(() => live.close());

test('from off through observe to required, under load on two replicas, no honest request fails (V5, V9)', async () => {
  const identity = await Identity.open(live.fixture.dataSource);
  const failed: string[] = [];
  const done = new Map(USERS.map((user) => [user, 0]));
  let isOver = false;
  const page = async (user: string): Promise<void> => {
    const key = identity.page(user);
    for (let turn = 0; !isOver; turn++) {
      const query = `userIdentifier=${user}&version=1`;
      const request =
        turn % 2
          ? `POST /v2/block/onboarding.welcome/transition?transitions=again&${query}`
          : `GET /v2/flow/onboarding?${query}`;
      const { status, text } = await call({ url: live.url(turn % 2) }, request, {
        key,
        ...(turn % 2 && { body: {} }),
      });
      if (status >= 300) failed.push(`${request} ${status} ${text}`);
      done.set(user, turn);
    }
  };
  const pages = USERS.map(page);
  const rounds = async () => {
    const before = new Map(done);
    await until(() => USERS.every((user) => done.get(user)! >= before.get(user)! + ROUNDS));
  };
  await rounds();
  for (const mode of ['observe', 'required', 'observe', 'off', 'required'] as const) {
    await identity.verify(mode);
    await rounds();
  }
  const refused = async (replica: number) =>
    (
      await call(
        { url: live.url(replica) },
        `GET /v2/flow/onboarding?userIdentifier=user-1&version=1`,
        {
          key: identity.page('user-0'),
        },
      )
    ).status === 401;
  await until(async () => (await refused(0)) && (await refused(1)));
  await rounds();
  isOver = true;
  await Promise.all(pages);
  expect(failed).toEqual([]);
});
