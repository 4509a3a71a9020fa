import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Receiver } from '@waymark/testing/services';
import { Webhook } from 'standardwebhooks';
import { CommandFixture } from './command-fixture.js';

let fixture: CommandFixture;
let receiver: Receiver;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  receiver = await Receiver.open();
  await fixture.fixture.commit(defineFlow({ flow: 'tour', blocks: { hello: card() } }));
  await fixture.fixture.identify('ada');
});
afterAll(async () => {
  receiver.close();
  await fixture.close();
});

test('an endpoint is added, tested, listed, changed and removed (E6)', async () => {
  const added = await fixture.run(
    '--json',
    'endpoint',
    'add',
    receiver.url,
    '--name',
    'crm',
    '--flow',
    'tour',
    '--header',
    'x-a: b',
  );
  expect(added.json()).toEqual({
    name: 'crm',
    url: receiver.url,
    format: 'standard',
    secret: expect.stringMatching(/^whsec_/),
  });
  const { secret } = added.json() as { secret: string };

  expect((await fixture.run('--json', 'endpoint', 'test', 'crm')).json()).toEqual({
    name: 'crm',
    status: 204,
    text: '',
  });
  const { body, headers } = receiver.received[0]!;
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'waymark.test',
  });
  expect(headers).toMatchObject({ 'x-a': 'b' });

  await fixture.fixture.read('ada', 'tour');
  expect((await fixture.run('--json', 'endpoint', 'list')).json()).toMatchObject({
    endpoints: [
      expect.objectContaining({
        name: 'crm',
        url: receiver.url,
        format: 'standard',
        state: 'delivering',
        backlog: 1,
      }),
    ],
  });
  expect((await fixture.run('endpoint', 'list')).stdout).not.toContain(secret);

  expect((await fixture.run('--json', 'endpoint', 'rotate-secret', 'crm')).json()).toEqual({
    name: 'crm',
    secret: expect.not.stringContaining(secret),
  });
  expect((await fixture.run('--json', 'endpoint', 'pause', 'crm')).json()).toEqual({
    environment: 'development',
    name: 'crm',
    state: 'paused',
  });
  expect((await fixture.run('--json', 'endpoint', 'resume', 'crm')).json()).toEqual({
    environment: 'development',
    name: 'crm',
    state: 'delivering',
  });
  expect(
    (await fixture.run('--json', 'endpoint', 'replay', 'crm', '--from', 'beginning')).status,
  ).toBe(0);
  expect((await fixture.run('--json', 'endpoint', 'failures', 'crm')).json()).toEqual({
    environment: 'development',
    failures: [],
  });
  expect((await fixture.run('endpoint', 'remove', 'crm')).status).toBe(2);
  expect((await fixture.run('--json', '--yes', 'endpoint', 'remove', 'crm')).json()).toEqual({
    environment: 'development',
    name: 'crm',
    removed: true,
  });
  const { entries } = (await fixture.run('--json', 'audit', 'list')).json() as {
    entries: { action: string }[];
  };
  expect(
    entries.map(({ action }) => action).filter((action) => action.startsWith('endpoint')),
  ).toEqual([
    'endpoint.remove',
    'endpoint.replay',
    'endpoint.resume',
    'endpoint.pause',
    'endpoint.rotate-secret',
    'endpoint.add',
  ]);
});

test('what cannot be is refused, and says what is allowed (E6)', async () => {
  const add = (...args: string[]) =>
    fixture.run('endpoint', 'add', receiver.url, '--name', 'x', ...args);
  const runs = await Promise.all([
    add('--header', 'a: b\r\nhost: evil'),
    add('--header', 'webhook-id: 1'),
    add('--header', 'nothing'),
    add('--type', 'flow.flown'),
    add('--flow', 'nope'),
    add('--from', 'yesterday'),
    fixture.run('endpoint', 'add', 'http://me:secret@host/', '--name', 'x'),
    fixture.run('endpoint', 'test', 'nope'),
  ]);
  expect(runs.map(({ status }) => status)).toEqual([1, 1, 2, 1, 1, 2, 1, 1]);
  expect(runs[6]!.stderr).not.toContain('secret@');
  expect(runs[7]!.stderr).toBe(
    'waymark: there is no endpoint "nope" in this environment (there are: none)\n',
  );
});

test('a receiver that does not take the test is told with what it answered (E6)', async () => {
  await fixture.run('endpoint', 'add', receiver.url, '--name', 'bad');
  receiver.behaviour = (_, response) => void response.writeHead(400).end('no such thing');
  const { status, stderr } = await fixture.run('endpoint', 'test', 'bad');
  expect([status, stderr]).toEqual([
    1,
    'waymark: endpoint bad did not take the test: it answered 400\nno such thing\n',
  ]);
});

test('the secret of webhooks is shown and rotated (E9)', async () => {
  const secretOf = async (...args: string[]) =>
    ((await fixture.run('--json', 'env', 'webhook-secret', ...args)).json() as { secret: string })
      .secret;
  const first = await secretOf();
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const second = await secretOf('--rotate');
  expect(second).not.toBe(first);
  expect(await secretOf()).toBe(second);
});
