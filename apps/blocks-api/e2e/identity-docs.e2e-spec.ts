import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { BOOT_MS, LiveReplicas } from './live-replicas.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WAYMARK = path.join(ROOT, 'apps/waymark/bin/waymark.mjs');
const run = promisify(execFile);

/** Debian's PyJWT is there for Debian's own Python only. */
const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['-c', 'import jwt, cryptography']).status === 0);
const testWithPython = python === undefined ? test.skip : test;
if (python === undefined)
  process.stderr.write('tokens minted in Python are not tested, they need PyJWT (apt-get install python3-jwt)\n');

let live: LiveReplicas;
let folder: string;
/** The code of docs/identity.md by its first line, such as `mint.py`. */
let code: Map<string, string>;
let shell: string[];

beforeAll(async () => {
  // Below the packages, so that `import 'jose'` finds them.
  folder = await mkdtemp(path.join(ROOT, 'node_modules/.cache-identity-'));
  const text = await readFile(path.join(ROOT, 'docs/identity.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, body]) => ({ language, body: body! }));
  code = new Map(
    blocks
      .filter(({ language }) => language === 'js' || language === 'python')
      .map(({ body }) => [/(?:\/\/|#) (\S+)/.exec(body)![1]!, body]),
  );
  shell = blocks.filter(({ language }) => language === 'sh').map(({ body }) => body);
  for (const [name, body] of code) await writeFile(path.join(folder, name), body);
  live = await LiveReplicas.open(1);
  await live.commit(defineFlow({ flow: 'onboarding', blocks: { welcome: card({ complete: 'finish' }) } }));
  await live.stage.dataSource.query("UPDATE environments SET name = 'spare' WHERE name = 'production'");
  await live.stage.dataSource.query("UPDATE environments SET name = 'production' WHERE name = 'development'");
}, BOOT_MS);
afterAll(async () => {
  await live.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the shell block of the page that holds the words, as an operator would. */
async function follow(words: string): Promise<string> {
  const block = shell.find((text) => text.includes(words))!.replaceAll('npx waymark', `"${process.execPath}" "${WAYMARK}"`);
  const env = { PATH: process.env['PATH'], DATABASE_URL: live.stage.testDatabase.url };
  return (await run('sh', ['-ec', block], { cwd: folder, env })).stdout;
}
const read = async (key: string, user = 'ada', rest = '') =>
  (await call({ url: live.url() }, `GET /v2/flow/onboarding?userIdentifier=${user}&version=latest${rest}`, { key })).status;

/** A token of Ada, who is in a group, as the code of the page mints it. */
const MINT: Record<string, () => Promise<string>> = {
  'mint.mjs': () => mintWithNode('mint.mjs'),
  'mint-plain.mjs': () => mintWithNode('mint-plain.mjs'),
  'mint.py': async () =>
    (
      await run(python!, ['-c', "from mint import mint_user_token; print(mint_user_token('ada', ['acme']))"], { cwd: folder })
    ).stdout.trim(),
};
const mintWithNode = async (file: string): Promise<string> => {
  const program = `import { mintUserToken } from ${JSON.stringify(pathToFileURL(path.join(folder, file)).href)};
    console.log(await mintUserToken('ada', ['acme']));`;
  return (await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })).stdout.trim();
};

describe('docs/identity.md, followed from its first line (V9)', () => {
  let backendKey: string;

  test('adds a signer, gives the backend a key of its own, observes and requires, with nobody refused before', async () => {
    await live.stage.identify('ada');
    await live.stage.identify('bob');
    await follow('waymark signer create web');
    backendKey = (await follow('--secret --name backend')).trim();
    expect(await read(live.key)).toBe(200);
    expect(await follow('verify production observe')).toContain('counted');
    expect(await read(live.key)).toBe(200);
    expect(await follow('verify production required')).toContain('required');
    await until(async () => (await read(live.key)) === 401);
    expect(await read(backendKey, 'bob')).toBe(200);
  });

  const taken = async (mint: () => Promise<string>) => {
    const key = `${live.key}.${await mint()}`;
    expect(await Promise.all([read(key), read(key, 'ada', '&groupIdentifier=acme')])).toEqual([200, 200]);
    expect(await Promise.all([read(key, 'bob'), read(key, 'ada', '&groupIdentifier=globex')])).toEqual([401, 403]);
  };

  test.each(['mint.mjs', 'mint-plain.mjs'])('tokens of %s are taken', (file) => taken(MINT[file]!));

  testWithPython('tokens of mint.py are taken, minted by PyJWT', () => taken(MINT['mint.py']!));

  test('the keys that openssl makes are taken as well, beside the first', async () => {
    const own = shell.find((text) => text.includes('openssl genpkey'))!;
    expect(own).toContain('signer add web');
    shell.push(own.replaceAll('web', 'web-2').replace('signer add web-2', 'signer add web-2'));
    await follow('signer add web-2');
    const body = code
      .get('mint-plain.mjs')!
      .replace('web-private-key', 'web-2-private-key')
      .replace("kid: 'web'", "kid: 'web-2'");
    await writeFile(path.join(folder, 'mint-2.mjs'), body);
    await until(async () => (await read(`${live.key}.${await mintWithNode('mint-2.mjs')}`)) === 200);
  });

  test('a signer that is removed, as in a rotation, is refused within a second, and all can be taken back', async () => {
    const key = `${live.key}.${await mintWithNode('mint-plain.mjs')}`;
    expect(await read(key)).toBe(200);
    shell.push('npx waymark signer remove web --env production # rotation');
    await follow('# rotation');
    await until(async () => (await read(key)) === 401);
    shell.push('npx waymark env verify production off # back');
    await follow('# back');
    await until(async () => (await read(live.key)) === 200);
  });
});
