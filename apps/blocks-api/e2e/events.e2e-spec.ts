import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addEndpoint } from '@waymark/domain/outbound';
import { card, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

let blocks: BlocksService;
let folder: string;
beforeAll(async () => {
  blocks = await BlocksService.open({ WEBHOOK_PRIVATE_ADDRESSES: 'on' });
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-receiver-'));
  await blocks.fixture.commit(
    defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'finish' }) } }),
  );
});
afterAll(async () => {
  await blocks.close();
  rmSync(folder, { recursive: true });
});

/** The receiver as it stands in the docs, running. */
async function startReceiver(language: string, file: string, program: string, secret: string) {
  const [, code] = new RegExp(`<!-- receiver:${language} -->\\n+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(
    readFileSync('docs/events.md', 'utf8'),
  )!;
  writeFileSync(path.join(folder, file), code!);
  const child = spawn(program, [path.join(folder, file)], {
    env: { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events: { type: string; user: string }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) =>
    events.push(JSON.parse(line) as { type: string; user: string }),
  );
  const errors = createInterface({ input: child.stderr });
  const [port] = await new Promise<string[]>((resolve) =>
    errors.on('line', (line) => /\d+$/.test(line) && resolve(/\d+$/.exec(line)!)),
  );
  return { events, url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.each([
  ['node', 'receiver.mjs', process.execPath, test],
  ['python', 'receiver.py', 'python3', hasPython ? test : test.skip],
] as const)('the receiver of the docs in %s', (language, file, program, run) => {
  run('prints every event once, verified, and refuses what is not ours (E7)', async () => {
    const user = `of-${language}`;
    await blocks.fixture.identify(user);
    const wanted = { name: language, url: 'http://127.0.0.1/' };
    const { id, secret } = await addEndpoint(
      blocks.fixture.dataSource,
      blocks.fixture.environmentId,
      wanted,
      { by: 'test' },
    );
    const receiver = await startReceiver(language, file, program, secret!);
    try {
      const forged = {
        type: 'flow.started',
        timestamp: '2026-01-01T00:00:00Z',
        data: { type: 'forged', user },
      };
      const headers = {
        'webhook-id': 'x',
        'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
        'webhook-signature': 'v1,AAAA',
      };
      expect((await call(receiver, 'POST /', { body: forged, headers })).status).toBe(401);
      await blocks.fixture.dataSource.query('UPDATE endpoints SET url = $2 WHERE id = $1', [
        id,
        receiver.url,
      ]);
      expect((await blocks.get(`/v2/flow/tour?userIdentifier=${user}&version=1`)).status).toBe(200);
      await blocks.post(
        `/v2/block/tour.hello/transition?userIdentifier=${user}&version=1&transitions=complete`,
      );
      await until(() => receiver.events.some(({ type }) => type === 'flow.finished'));
      const types = receiver.events.filter((event) => event.user === user).map(({ type }) => type);
      expect(types).toEqual(['flow.started', 'block.entered', 'block.exited', 'flow.finished']);
    } finally {
      receiver.stop();
    }
  });
});

test('metrics tell how far endpoints are behind and what came of what was sent (E10)', async () => {
  const { text } = await call({ url: blocks.service.metricsUrl }, 'GET /metrics');
  expect(text).toMatch(
    /waymark_endpoint_backlog_seconds\{.*environment="development",endpoint="node".*\} [\d.]+/,
  );
  expect(text).toMatch(
    /waymark_endpoint_deliveries_total\{.*environment="development",endpoint="node",outcome="delivered".*\} \d+/,
  );
});
