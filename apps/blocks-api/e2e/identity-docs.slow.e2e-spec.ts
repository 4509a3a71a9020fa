import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { LiveReplicas } from './live-replicas.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WAYMARK = path.join(ROOT, 'apps/waymark/bin/waymark.mjs');
const BACKEND = path.join(ROOT, 'examples/react-modal/backend.mjs');
const run = promisify(execFile);

/** Debian's PyJWT is there for Debian's own Python only. */
const python = ['/usr/bin/python3', 'python3'].find(
  (name) => spawnSync(name, ['-c', 'import jwt, cryptography']).status === 0,
);
const testWithPython = python === undefined ? test.skip : test;
if (python === undefined)
  process.stderr.write(
    'tokens minted in Python are not tested, they need PyJWT (apt-get install python3-jwt)\n',
  );

let live: LiveReplicas;
let folder: string;
let page: string;
/** The code of docs/identity.md by its first line, such as `mint.py`. */
let code: Map<string, string>;
let shell: string[];
/** The shell blocks that were run. */
const walked = new Set<string>();

beforeAll(async () => {
  // Below the packages, so that `import 'jose'` finds them.
  folder = await mkdtemp(path.join(ROOT, 'node_modules/.cache-identity-'));
  page = await readFile(path.join(ROOT, 'docs/identity.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, body]) => ({
    language,
    body: body!,
  }));
  code = new Map(
    blocks
      .filter(({ language }) => language === 'js' || language === 'python')
      .map(({ body }) => [/(?:\/\/|#) (\S+)/.exec(body)![1]!, body]),
  );
  shell = blocks.filter(({ language }) => language === 'sh').map(({ body }) => body);
  for (const [name, body] of code) await writeFile(path.join(folder, name), body);
  live = await LiveReplicas.open(1);
  await live.commit(
    defineFlow({ flow: 'onboarding', blocks: { welcome: card({ complete: 'finish' }) } }),
  );
  await live.fixture.dataSource.query(
    "UPDATE environments SET name = 'spare' WHERE name = 'production'",
  );
  await live.fixture.dataSource.query(
    "UPDATE environments SET name = 'production' WHERE name = 'development'",
  );
});
afterAll(async () => {
  await live.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Runs the shell block of the page that holds the words, as an operator would, with names changed
 * where a test says so.
 */
async function follow(words: string, { change = same, env = {} }: Following = {}): Promise<string> {
  const block = shell.find((text) => text.includes(words))!;
  walked.add(block);
  return operate(change(block), env);
}
interface Following {
  readonly change?: (block: string) => string;
  readonly env?: Record<string, string>;
}
const same = (block: string) => block;
async function operate(commands: string, env: Record<string, string> = {}): Promise<string> {
  const ours = commands.replaceAll('npx waymark', `"${process.execPath}" "${WAYMARK}"`);
  const all = { PATH: process.env['PATH'], DATABASE_URL: live.fixture.testDatabase.url, ...env };
  return (await run('sh', ['-ec', ours], { cwd: folder, env: all })).stdout;
}
const read = async (key: string, user = 'ada', rest = '') =>
  (
    await call(
      { url: live.url() },
      `GET /v2/flow/onboarding?userIdentifier=${user}&version=latest${rest}`,
      { key },
    )
  ).status;

/** Of the page's key, as operators look at it (V5). */
async function countOf(outcome: string): Promise<number> {
  const { keys } = JSON.parse(await operate('npx waymark --json key list --env production')) as {
    keys: KeyRow[];
  };
  const { id } = keys.find(({ key }) => key === live.key)!;
  const { text } = await call({ url: live.services[0]!.metricsUrl }, 'GET /metrics');
  const series = text
    .split('\n')
    .find((line) =>
      [`waymark_user_tokens_total`, `"${id}"`, `"${outcome}"`].every((part) => line.includes(part)),
    );
  return Number(series?.split(' ').at(-1) ?? 0);
}
interface KeyRow {
  readonly id: string;
  readonly key: string | null;
}

/** A token of Ada, who is in a group, as the code of the page mints it. */
const MINT: Record<string, () => Promise<string>> = {
  'mint.mjs': () => mintWithNode('mint.mjs'),
  'mint-plain.mjs': () => mintWithNode('mint-plain.mjs'),
  'mint.py': async () =>
    (
      await run(
        python!,
        ['-c', "from mint import mint_user_token; print(mint_user_token('ada', ['acme']))"],
        { cwd: folder },
      )
    ).stdout.trim(),
};
const mintWithNode = async (file: string): Promise<string> => {
  const program = `import { mintUserToken } from ${JSON.stringify(pathToFileURL(path.join(folder, file)).href)};
    console.log(await mintUserToken('ada', ['acme']));`;
  return (
    await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
  ).stdout.trim();
};

describe('docs/identity.md, followed from its first line (V9)', () => {
  let backendKey: string;

  test('adds a signer, gives the backend a key of its own, observes and requires, with nobody refused before', async () => {
    await live.fixture.identify('ada');
    await live.fixture.identify('bob');
    await follow('waymark signer create web');
    const [signer] = (
      JSON.parse(await operate('npx waymark --json signer list --env production')) as {
        signers: object[];
      }
    ).signers;
    expect(signer).toMatchObject({ name: 'web', environment: 'production', algorithm: 'EdDSA' });
    backendKey = (await follow('--secret --name backend')).trim();
    expect(await read(live.key)).toBe(200);
    expect(await follow('verify production observe')).toContain('counted');
    await until(async () => {
      await read(live.key);
      return (await countOf('missing')) > 0;
    });
    expect(await read(live.key)).toBe(200);
    expect(await follow('verify production required')).toContain('required');
    await until(async () => (await read(live.key)) === 401);
    expect(await read(backendKey, 'bob')).toBe(200);
  });

  const taken = async (mint: () => Promise<string>) => {
    const key = `${live.key}.${await mint()}`;
    expect(await Promise.all([read(key), read(key, 'ada', '&groupIdentifier=acme')])).toEqual([
      200, 200,
    ]);
    expect(
      await Promise.all([read(key, 'bob'), read(key, 'ada', '&groupIdentifier=globex')]),
    ).toEqual([401, 403]);
  };

  test.each(['mint.mjs', 'mint-plain.mjs'])('tokens of %s are taken', (file) => taken(MINT[file]!));

  testWithPython('tokens of mint.py are taken, minted by PyJWT', () => taken(MINT['mint.py']!));

  test('a token is tried as the page says', async () => {
    const env = {
      BLOCKS_URL: live.url(),
      BLOCKS_KEY: live.key,
      TOKEN: await mintWithNode('mint-plain.mjs'),
    };
    expect(JSON.parse(await follow('curl -s', { env }))).toMatchObject({ sid: 'onboarding' });
    await until(async () => (await countOf('valid')) > 0);
  });

  test("the backend of the example mints tokens that are taken, each its user's own", async () => {
    const backend = spawn(process.execPath, [BACKEND, path.join(folder, 'web-private-key.pem')], {
      env: { PORT: '0', ENVIRONMENT: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const line = await new Promise<string>((resolve) =>
        createInterface({ input: backend.stdout }).once('line', resolve),
      );
      const ask = async (user: string) =>
        (await call({ url: /http\S+/.exec(line)![0] }, `GET ?user=${user}`)).body as {
          token: string;
          renewInSeconds: number;
        };
      const { token, renewInSeconds } = await ask('ada');
      expect(renewInSeconds).toBe(720);
      expect(
        await Promise.all([read(`${live.key}.${token}`), read(`${live.key}.${token}`, 'bob')]),
      ).toEqual([200, 401]);
      expect(await read(`${live.key}.${(await ask('bob')).token}`, 'bob')).toBe(200);
    } finally {
      backend.kill();
    }
  });

  test('the keys that openssl makes are taken as well, beside the first', async () => {
    await follow('openssl genpkey', { change: (block) => block.replaceAll('web', 'web-2') });
    const body = code
      .get('mint-plain.mjs')!
      .replace('web-private-key', 'web-2-private-key')
      .replace("kid: 'web'", "kid: 'web-2'");
    await writeFile(path.join(folder, 'mint-2.mjs'), body);
    await until(
      async () => (await read(`${live.key}.${await mintWithNode('mint-2.mjs')}`)) === 200,
    );
  });

  test('a signer that is removed, as in a rotation, is refused within a second, and all can be taken back', async () => {
    const key = `${live.key}.${await mintWithNode('mint-plain.mjs')}`;
    expect(await read(key)).toBe(200);
    expect(page).toContain('npx waymark signer remove web --env production');
    await operate('npx waymark signer remove web --env production');
    await until(async () => (await read(key)) === 401);
    expect(page).toContain('npx waymark env verify production off');
    await operate('npx waymark env verify production off');
    await until(async () => (await read(live.key)) === 200);
  });

  test('has no command that was not run here', () => {
    expect(shell.filter((block) => !walked.has(block))).toEqual([]);
  });
});
