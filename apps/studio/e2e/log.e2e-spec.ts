import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '@waymark/testing/fault-proxy';
import { type SpawnedService, spawnService } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { openStudio, Visitor } from './studio-fixture.js';

const TOKEN = 'a-token-of-which-nobody-guesses-any-part';
const ADA = 'ada@example.com';

let fixture: Fixture;
let proxy: FaultProxy;
let studio: SpawnedService;

beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identify(ADA);
  const { hostname: host, port } = new URL(fixture.testDatabase.url);
  proxy = await startFaultProxy({ host, port: Number(port) });
  const settings = {
    DATABASE_URL: proxy.through(fixture.testDatabase.url),
    STUDIO_TOKEN: TOKEN,
    WAYMARK_BY: 'tester',
  };
  studio = await spawnService('studio', settings);
});
afterAll(async () => {
  await proxy.close();
  await fixture.close();
});

/** Every route of the studio, about Ada. */
async function requestsAboutAda(): Promise<string[]> {
  const inside = await openStudio(fixture);
  await inside.stop();
  const named = (url: string): string =>
    url
      .replace(':environment', 'development')
      .replace(':user', encodeURIComponent(ADA))
      .replace(/:\w+/g, 'x')
      .replace('*', 'x');
  return inside.routes
    .filter(({ method, url }) => !['HEAD', 'OPTIONS'].includes(method) && !url.endsWith('logout'))
    .map(({ method, url }) => `${method} ${named(url)}?userIdentifier=${encodeURIComponent(ADA)}`);
}

test('the log of the studio tells of no user, key or token, whatever goes wrong (W2, V4)', async () => {
  const requests = await requestsAboutAda();
  const editor = new Visitor(studio.url);
  await editor.ask('POST /api/login', { body: { token: `${TOKEN}-not` } });
  await editor.enter(`${studio.url}/#token=${TOKEN}`);
  const askAll = async () => {
    const statuses = [];
    for (const request of requests) statuses.push((await editor.ask(request)).status);
    return statuses;
  };
  expect(await askAll()).toContain(200);
  proxy.set({ kind: 'refuse' });
  proxy.reset();
  expect(await askAll()).toContain(503);
  proxy.heal();
  // Rejects for lines that tell too much.
  await studio.stop();
  expect(studio.lines.join('\n')).toContain('unavailable');
  expect(studio.lines.join('\n')).not.toContain(TOKEN);
});
