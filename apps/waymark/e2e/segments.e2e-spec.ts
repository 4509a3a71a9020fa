import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommandFixture } from './command-fixture.js';

const FLOW = `flow: offer
target: { users: matching, when: segment("pro-admins") }
start: hello
blocks:
  hello: { type: card, paths: { complete: finish } }
`;
const SEGMENTS = `segments:
  pro: user.properties.plan == "pro"
  pro-admins: segment("pro") AND user.properties.role == "admin"
`;

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  await fixture.write('offer.yaml', FLOW);
  await fixture.write('segments.yaml', SEGMENTS);
  await fixture.write('gold.yaml', SEGMENTS.replace('"pro"', '"gold"'));
  await fixture.fixture.identify('ada', { plan: 'pro', role: 'admin' });
  await fixture.fixture.identify('bob', { plan: 'gold', role: 'admin' });
});
afterAll(() => fixture.close());

test('a flow with a segment is refused until there is one of that name (Z6)', async () => {
  expect(await fixture.runWithout(['flow', 'validate', 'offer.yaml'])).toMatchObject({ status: 0 });
  const early = await fixture.run('flow', 'apply', 'offer.yaml');
  expect(early).toMatchObject({ status: 1 });
  expect(early.stderr).toContain(
    'offer.yaml:2:34 found the unknown segment "pro-admins", and there are no segments',
  );
  expect((await fixture.run('segment', 'apply', 'segments.yaml')).stdout).toBe(
    'added: pro, pro-admins\n',
  );
  const applied = await fixture.run('flow', 'apply', 'offer.yaml', '--commit', '-m', 'first');
  expect(applied).toMatchObject({ status: 0 });
  expect((await fixture.run('flow', 'explain', 'offer', 'ada')).stdout).toContain(
    'user.properties.role == "admin" is true',
  );
});

test('apply warns of what no user has, and applies it (Z6, S31)', async () => {
  await fixture.write(
    'misspelt.yaml',
    `${SEGMENTS}  loud: user.properties.rolle == "admin" AND user.events.Shouted.count > 0\n`,
  );
  expect(await fixture.run('segment', 'apply', 'misspelt.yaml')).toMatchObject({
    status: 0,
    stdout: 'added: loud\n',
    stderr: expect.stringContaining(
      'misspelt.yaml: warning: segment "loud": none of the 2 users looked at has a property "rolle"; did you mean "role"?',
    ),
  });
  const again = await fixture.run('segment', 'apply', 'segments.yaml');
  expect(again).toMatchObject({ stdout: 'removed: loud\n', stderr: '' });
});

test('a changed segment names the flows that a new commit would change, and plan and diff say how (Z6)', async () => {
  const told = 'changed: pro\nflows that a new commit would change: offer\n';
  expect((await fixture.run('segment', 'diff', 'gold.yaml')).stdout).toBe(told);
  const shown = (await fixture.run('segment', 'show', '--json')).json() as { hash: string };
  const wrong = ['segment', 'apply', 'gold.yaml', '--if-match', 'f'.repeat(64)];
  expect(await fixture.run(...wrong)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('changed since they were read'),
  });
  const applied = await fixture.run('segment', 'apply', 'gold.yaml', '--if-match', shown.hash);
  expect(applied.stdout).toBe(told);
  expect((await fixture.run('flow', 'diff', 'offer')).stdout).toMatch(
    /^segment pro is "user.properties.plan == .*gold.*, was .*pro/,
  );
  const plan = await fixture.run('flow', 'plan', 'offer.yaml', '--entries');
  expect(plan.stdout).toMatch(/1 user .*enter/);
  const exported = await fixture.run('segment', 'export');
  await fixture.write('exported.yaml', exported.stdout);
  expect((await fixture.run('segment', 'diff', 'exported.yaml')).stdout).toBe(
    'flows that a new commit would change: offer\n',
  );
  await fixture.write('none.yaml', 'segments: {}\n');
  expect((await fixture.run('segment', 'apply', 'none.yaml')).stderr).toContain(
    'a condition of flow offer cannot be read with the segments',
  );
});

test('users are listed, reset and counted by segment (Z6)', async () => {
  const list = async (...args: string[]) =>
    (
      (await fixture.run('user', 'list', '--json', ...args)).json() as {
        users: { identifier: string }[];
      }
    ).users.map(({ identifier }) => identifier);
  expect(await list('--segment', 'pro-admins')).toEqual(['bob']);
  expect(await list('--segment', 'pro', '--when', 'user.identifier == "ada"')).toEqual([]);
  for (const user of ['ada', 'bob'])
    await fixture.fixture.run(user, 'offer', 1, { kind: 'start', force: true });
  const dry = ['reset', 'offer', '--version', '1', '--segment', 'pro', '--dry-run', '--json'];
  expect((await fixture.run(...dry)).json()).toMatchObject({ matched: 1 });
  const report = ['flow', 'report', 'offer', '--when', 'segment("pro")', '--json'];
  expect((await fixture.run(...report)).json()).toMatchObject({ users: 1 });
  expect(await fixture.run('user', 'list', '--segment', 'nobody')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'found the unknown segment "nobody", expected one of pro, pro-admins',
    ),
  });
});

test('a flow file is simulated with the segments of a file, without a database (Z6, I4)', async () => {
  const simulate = (...args: string[]) =>
    fixture.runWithout(['flow', 'simulate', 'offer.yaml', 'read', ...args]);
  await fixture.write('empty.yaml', 'segments: {}\n');
  const admin = ['--properties', '{"plan": "pro", "role": "admin"}', '--segments'];
  expect((await simulate(...admin, 'segments.yaml')).stdout).toContain('read: started');
  expect((await simulate(...admin, 'gold.yaml')).stdout).toContain('read: no effect');
  expect((await simulate(...admin, 'empty.yaml')).stderr).toContain('unknown segment "pro-admins"');
});
