import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEnvironment } from '@waymark/domain/access';
import { card, custom, defineFlow } from '@waymark/testing/builders';
import { type Answer, call, guardedRequests, until } from '@waymark/testing/services';
import { WebSocket } from 'ws';
import { CLIENT_EVENTS } from '../src/live/push/live-events.js';
import { type Attack, ATTACKS, FORCE } from './attacks.js';
import { BlocksService } from './blocks-service.js';
import { Identity } from './identity.js';

/**
 * What a route takes of its query: names that belong to other routes are refused by a list (W8).
 */
const queryOf = (request: string): string =>
  request.endsWith('/v2/flows') ? 'flow=onboarding' : 'version=1&flow=onboarding&transitions=again';

let blocks: BlocksService;
let identity: Identity;
/** One request for every route, as the router has them. */
let requests: string[];

/** Tells what flows are made of, the same to everybody who has the key (B15). */
const ABOUT_NO_USER = / \/v2\/types$/;

beforeAll(async () => {
  blocks = await BlocksService.open();
  const { fixture } = blocks;
  await fixture.commit(
    defineFlow({
      flow: 'onboarding',
      blocks: { welcome: custom({ again: 'last' }), last: card({ complete: 'finish' }) },
    }),
  );
  for (const user of ['ada', 'bob']) await fixture.identify(user);
  identity = await Identity.open(fixture.dataSource);
  await createEnvironment(fixture.dataSource, 'elsewhere', { by: 'test' });
  await identity.addSigner('elsewhere', 'elsewhere');
  await identity.verify('required');
  const names: Record<string, string> = { sid: 'onboarding', uid: 'onboarding.welcome' };
  const routes = blocks.service.routes.map((route) => ({
    ...route,
    url: route.url.replace(/:(\w+)/g, (_, name: string) => names[name]!),
  }));
  requests = guardedRequests(routes).filter((request) => !ABOUT_NO_USER.test(request));
  await untilRefused();
});
afterAll(() => blocks.close());

/** The mode is known within a second. */
const untilRefused = () => untilAnswered(identity.publicKey, 401);

const untilAnswered = (key: string, status: number): Promise<void> =>
  until(async () => (await ask('GET /v2/flow/onboarding', key, 'ada')).status === status);

const ask = (request: string, key: string, user: string, rest = ''): Promise<Answer> =>
  call(blocks.service, `${request}?userIdentifier=${user}&${queryOf(request)}${rest}`, {
    key,
    ...(request.startsWith('POST') && { body: {} }),
    headers: { 'x-request-id': 'attack' },
  });

const attackOver = (
  request: string,
  { credential, user = 'ada', group, force }: Attack,
): Promise<Answer> =>
  ask(
    request,
    credential(identity),
    user,
    `${group ? `&groupIdentifier=${group}` : ''}${force ? '&force=true' : ''}`,
  );

const states = () =>
  blocks.fixture.dataSource.query('SELECT user_id, flow, revision FROM flow_states ORDER BY 1, 2');

describe('over HTTP, on every route of the router', () => {
  test.each([...ATTACKS, FORCE])(
    '$name is refused, and changes nothing (V6, V10)',
    async (attack) => {
      const before = await states();
      for (const request of requests) {
        // Whether a flow can be forced to end is a matter of the query, which comes first (B4).
        if (attack.force && /(stop|finish)$/.test(request)) continue;
        const answer = await attackOver(request, attack);
        expect([request, answer.status]).toEqual([request, attack.status]);
        if (request.startsWith('HEAD')) continue;
        const { code, details, requestId } = answer.body as Record<string, string>;
        expect([code, requestId]).toEqual(['unauthorized_error', 'attack']);
        expect(details).toMatch(attack.says);
        expect(leaksOf(answer.text, attack)).toEqual([]);
      }
      expect(await states()).toEqual(before);
    },
  );

  test('the 400s of a query come first, and the 404s of what is not there after it (V6, W9)', async () => {
    const stranger = identity.page('ada');
    for (const request of requests.filter((each) => !each.startsWith('HEAD'))) {
      const malformed = await call(
        blocks.service,
        `${request}?userIdentifier=bob&${queryOf(request)}&include=x`,
        { key: stranger },
      );
      expect([request, malformed.status]).toEqual([request, 400]);
      const absent = await ask(request.replace('onboarding', 'absent'), stranger, 'bob');
      expect([request, absent.status]).toEqual([request, 401]);
    }
  });

  test("Ada's own token opens every route for Ada, her groups and, where it says so, force (V3)", async () => {
    const key = identity.page('ada', { groups: ['acme'], force: true });
    for (const request of requests) {
      const force = /(start|reset)$/.test(request) ? '&force=true' : '';
      const { status } = await ask(request, key, 'ada', `&groupIdentifier=acme${force}`);
      expect([request, status]).toEqual([request, request.startsWith('POST') ? 204 : 200]);
    }
  });

  test('a secret key needs no token (V1)', async () => {
    for (const request of requests)
      expect((await ask(request, identity.secretKey, 'bob')).status).toBeLessThan(300);
  });

  test('a token is replayed in vain once its signer is removed (V8, V10)', async () => {
    await identity.addSigner('leaving');
    const key = `${identity.publicKey}.${identity.token('ada', {}, { kid: 'leaving' })}`;
    await untilAnswered(key, 200);
    await identity.removeSigner('leaving');
    await untilAnswered(key, 401);
    for (const request of requests) expect((await ask(request, key, 'ada')).status).toBe(401);
  });

  test('outcomes are counted by key, and the metrics hold nothing of a token (V4, V5)', async () => {
    const text = await (await fetch(`${blocks.service.metricsUrl}/metrics`)).text();
    const outcomes = [
      ...text.matchAll(/waymark_user_tokens_total\{key="[\w-]{36}",outcome="(\w+)"/g),
    ].map((match) => match[1]);
    expect(outcomes.sort()).toEqual([
      'expired',
      'forbidden',
      'invalid',
      'missing',
      'other_user',
      'valid',
    ]);
    for (const secret of [identity.publicKey, identity.token('ada').split('.')[0]!])
      expect(text).not.toContain(secret);
  });
});

/** Parts of the credential that an answer repeats. */
const leaksOf = (text: string, { credential }: Attack): string[] =>
  credential(identity)
    .split('.')
    .filter((part) => part.length > 8 && text.includes(part));

describe('over a socket', () => {
  test.each(ATTACKS)(
    '$name is refused at the handshake, and no event gets anything (V7, V10)',
    async (attack) => {
      const frames = await attackSocket(attack);
      expect(frames[0]).toMatch(/^44\/v2\/client,\{"message":"/);
      expect(frames[0]).toMatch(new RegExp(attack.says.source.replaceAll('"', '\\\\"')));
      expect(frames.filter((frame) => frame.startsWith('42'))).toEqual([]);
    },
  );

  /**
   * Says hello with the credential, then sends every event all the same; returns what came back
   * until the end.
   */
  async function attackSocket({ credential, user = 'ada', group }: Attack): Promise<string[]> {
    const query = `EIO=4&transport=websocket&endUserIdentifier=${user}${group ? `&groupIdentifier=${group}` : ''}`;
    const socket = new WebSocket(`${blocks.service.url.replace('http', 'ws')}/v2/socket/?${query}`);
    const frames: string[] = [];
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject).on('close', () => resolve());
      socket.on('message', (data: Buffer) => {
        const frame = data.toString();
        if (frame.startsWith('0{'))
          socket.send(`40/v2/client,${JSON.stringify({ 'x-api-key': credential(identity) })}`);
        else if (frame === '2') socket.send('3');
        else frames.push(frame);
        if (!frame.startsWith('44')) return;
        for (const event of CLIENT_EVENTS)
          socket.send(`42/v2/client,${JSON.stringify([event, 'onboarding', 1])}`);
        socket.send('41/v2/client,');
      });
    });
    return frames;
  }
});
