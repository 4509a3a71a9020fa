import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommandFixture } from './command-fixture.js';

const FLOW = `flow: offers
start: offer
blocks:
  offer:
    type: split
    paths:
      short: { share: 0, to: ask }
      long: { share: 3, to: ask }
      none: { share: 0, to: finish }
  ask: { type: custom, paths: { yes: finish, no: finish } }
`;
const PEOPLE = ['ann', 'bob', 'cid'];

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  await fixture.write('offers.yaml', FLOW);
  await fixture.run('flow', 'apply', 'offers.yaml', '--commit', '-m', 'first');
  await fixture.fixture.catalogue.refresh();
  await fixture.fixture.identifyAll(PEOPLE, () => ({}));
  for (const user of PEOPLE) await fixture.fixture.read(user, 'offers');
  await fixture.fixture.take('ann', 'offers', 1, 'ask', ['yes']);
});
afterAll(() => fixture.close());

const report = (...args: string[]) => fixture.run('flow', 'report', 'offers', ...args);

test('ways of a split are reported in words and as JSON (K3)', async () => {
  const told = (await report('--split', 'offer', '--goal-path', 'ask.yes')).stdout.split('\n');
  expect(told.slice(0, 3)).toEqual([
    'split offer of offers, version 1, in development',
    '3 users came; goal: ask.yes',
    '',
  ]);
  expect(told).toContainEqual(
    expect.stringMatching(/^long +100 % +3 +1 \(33\.3 %, 6\.1 to 79\.2\) +1 \(33\.3 %/),
  );
  const { stdout } = await report(
    '--split',
    'offer',
    '--goal',
    'user.identifier == "ann"',
    '--json',
  );
  expect(JSON.parse(stdout)).toMatchObject({
    environment: 'development',
    goal: { when: 'user.identifier == "ann"' },
    ways: [{ way: 'short' }, { way: 'long', people: 3, goal: { people: 1 } }, { way: 'none' }],
  });
});

test.each([
  [['--split', 'ask'], 'there is no split ask in this version; it has offer'],
  [['--goal', 'true'], 'a goal is for --split; name the split that is reported'],
  [['--split', 'offer', '--goal-path', 'ask.maybe'], 'has no transition "maybe"'],
  [['--split', 'offer', '--goal', 'true', '--goal-path', 'ask.yes'], 'cannot be used with'],
  [['--split', 'offer', '--csv'], 'cannot be used with'],
])('%j is refused (K3)', async (args, words) => {
  const { status, stderr } = await report(...args);
  expect(status).toBeGreaterThan(0);
  expect(stderr).toContain(words);
});

test('a simulation goes along the way that is named, and says which it went (K2)', async () => {
  const walk = (...args: string[]) =>
    fixture.run('flow', 'simulate', 'offers.yaml', 'read', ...args);
  expect((await walk()).stdout).toContain('ways: offer goes long');
  expect((await walk('--way', 'offer:none')).stdout).toContain('ways: offer goes none');
  expect((await walk('--way', 'offer')).stderr).toContain('offer is not a way');
  expect((await walk('--way', 'offer:all')).stderr).toContain('it has short, long, none');
});
