import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { custom, defineFlow } from '@waymark/testing/builders';
import { freePort } from '@waymark/testing/ports';
import { LiveReplicas } from './live-replicas.js';

const RECIPES = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../../examples/own-host',
);
const HOST = 'https://blocks.example.com';

const hasBundlers = existsSync(path.join(RECIPES, 'node_modules/webpack'));
if (!hasBundlers)
  process.stderr.write('recipes for bundlers are not tested: run `npm ci` in examples/own-host\n');
const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx)
  process.stderr.write(
    'the recipe for a reverse proxy is not tested: apt-get install nginx-light\n',
  );

(hasBundlers ? describe : describe.skip)('the recipes for bundlers', () => {
  const ENTRY = "import { DoptProvider } from '@dopt/react'; console.log(DoptProvider);";
  /**
   * As documented, each in a few lines; run in the folder of the recipes, with HOST, OUT and ENTRY
   * given.
   */
  const BUILDS = {
    esbuild: `
      const { build } = await import('esbuild');
      const { ownHost } = await import('./esbuild.mjs');
      await build({ stdin: { contents: ENTRY, resolveDir: '.' }, bundle: true, outdir: OUT, plugins: [ownHost(HOST)] });`,
    vite: `
      const { build } = await import('vite');
      const { ownHost } = await import('./vite.mjs');
      const resolveId = (id) => (id === 'entry' ? process.cwd() + '/entry.js' : null);
      const entry = { name: 'entry', resolveId, load: (id) => (id.endsWith('/entry.js') ? ENTRY : null) };
      const output = { outDir: OUT, emptyOutDir: true, rolldownOptions: { input: 'entry' } };
      await build({ configFile: false, logLevel: 'silent', plugins: [entry, ownHost(HOST)], build: output });`,
    webpack: `
      const { default: webpack } = await import('webpack');
      const rule = { test: /[\\\\/]node_modules[\\\\/]@dopt[\\\\/]/, loader: './webpack-loader.cjs', options: { host: HOST } };
      const entry = 'data:text/javascript,' + encodeURIComponent(ENTRY);
      const config = { mode: 'production', optimization: { minimize: false }, context: process.cwd(), entry, output: { path: OUT }, module: { rules: [rule] } };
      const stats = await new Promise((resolve, reject) => webpack(config, (error, done) => (error ? reject(error) : resolve(done))));
      if (stats.hasErrors()) throw new Error(stats.toString());`,
    'the development server of esbuild': `
      const { context } = await import('esbuild');
      const { writeFile } = await import('node:fs/promises');
      const { ownHost } = await import('./esbuild.mjs');
      const options = { stdin: { contents: ENTRY, resolveDir: '.' }, bundle: true, outdir: OUT, write: false };
      const server = await context({ ...options, plugins: [ownHost(HOST)] });
      const { port } = await server.serve({ host: '127.0.0.1', port: 0 });
      await writeFile(OUT + '/served.js', await (await fetch('http://127.0.0.1:' + port + '/stdin.js')).text());
      await server.dispose();`,
    'webpack as its development server runs it': `
      const { default: webpack } = await import('webpack');
      const rule = { test: /[\\\\/]node_modules[\\\\/]@dopt[\\\\/]/, loader: './webpack-loader.cjs', options: { host: HOST } };
      const entry = 'data:text/javascript,' + encodeURIComponent(ENTRY);
      const config = { mode: 'development', context: process.cwd(), entry, output: { path: OUT }, module: { rules: [rule] } };
      await new Promise((resolve, reject) => {
        const watching = webpack(config).watch({}, (error, stats) => {
          watching.close(() => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
        });
      });`,
  };

  test.each(Object.entries(BUILDS))(
    '%s builds the SDK for a host of your own, and for no other',
    async (_, script) => {
      const out = await mkdtemp(path.join(tmpdir(), 'waymark-bundle-'));
      const given = `const [HOST, OUT, ENTRY] = ${JSON.stringify([HOST, out, ENTRY])};`;
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', given + script], {
        cwd: RECIPES,
      });
      const files = (await readdir(out, { recursive: true })).filter((file) =>
        file.endsWith('.js'),
      );
      const code = (
        await Promise.all(files.map((file) => readFile(path.join(out, file), 'utf8')))
      ).join('');
      expect(code).toContain(HOST);
      expect(code).not.toContain('blocks.dopt.com');
      await rm(out, { recursive: true });
    },
  );
});

(hasBundlers ? describe : describe.skip)('the recipe for Vite', () => {
  const ENTRY = "import { DoptProvider } from '@dopt/react'; console.log(DoptProvider);";
  /** Serves or builds an entry that imports the SDK; answers all code that a page would get. */
  const SCRIPT = `
    const { build, createServer, version } = await import(VITE);
    const { ownHost } = await import('./vite.mjs');
    const resolveId = (id) => (id.endsWith('entry.js') ? process.cwd() + '/entry.js' : null);
    const entry = { name: 'entry', enforce: 'pre', resolveId, load: (id) => (id.endsWith('/entry.js') ? ENTRY : null) };
    const options = { configFile: false, logLevel: 'silent', plugins: [entry, ownHost(HOST)], cacheDir: OUT };
    const server = await createServer({ ...options, optimizeDeps: { include: ['@dopt/react'] }, server: { port: 0, host: '127.0.0.1' } });
    await server.listen();
    const url = 'http://127.0.0.1:' + server.httpServer.address().port;
    const served = new Map();
    const pending = ['/entry.js'];
    for (let path = pending.pop(); path; path = pending.pop()) {
      if (served.has(path) || /^.@(vite|id)/.test(path)) continue;
      const code = await (await fetch(url + path)).text();
      served.set(path, code);
      for (const [, found] of code.matchAll(/(?:from|import)\\s*"([./][^"]+)"/g)) pending.push(new URL(found, url + path).pathname + new URL(found, url + path).search);
    }
    await server.close();
    const input = { input: process.cwd() + '/entry.js' };
    const output = await build({ ...options, build: { write: false, rollupOptions: input } });
    const built = [output].flat().flatMap(({ output }) => output).map(({ code }) => code ?? '').join('');
    const answer = JSON.stringify({ version, served: [...served.values()].join(''), built });
    process.stdout.write(answer, () => process.exit());`;

  test.each(['vite-4', 'vite-5', 'vite-6', 'vite-7', 'vite'])(
    '%s serves in development and builds the SDK for a host of your own, and for no other',
    async (vite) => {
      const out = await mkdtemp(path.join(tmpdir(), 'waymark-vite-'));
      const given = `const [HOST, OUT, ENTRY, VITE] = ${JSON.stringify([HOST, out, ENTRY, vite])};`;
      const run = promisify(execFile)(
        process.execPath,
        ['--input-type=module', '-e', given + SCRIPT],
        {
          cwd: RECIPES,
          maxBuffer: 64 * 1024 * 1024,
        },
      );
      const { version, served, built } = JSON.parse((await run).stdout) as Record<
        'version' | 'served' | 'built',
        string
      >;
      expect(version).toMatch(new RegExp(`^${/\d+$/.exec(vite)?.[0] ?? '8'}\\.`));
      for (const code of [served, built]) {
        expect(code).toContain(HOST);
        expect(code).not.toContain('blocks.dopt.com');
      }
      await rm(out, { recursive: true });
    },
  );
});

(hasNginx ? describe : describe.skip)('the recipe for a reverse proxy', () => {
  let live: LiveReplicas;
  let folder: string;
  let ports: [number, number, number];
  let nginx: ReturnType<typeof spawn>;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waymark-nginx-'));
    ports = [await freePort(), await freePort(), await freePort()];
    live = await LiveReplicas.open(0, { SHUTDOWN_GRACE_MS: '1000' });
    for (const port of ports.slice(1)) await live.add({ PORT: String(port) });
    await live.commit(
      defineFlow({ blocks: { counter: custom({ again: 'counter', done: 'finish' }) } }),
    );
    const recipe = await readFile(path.join(RECIPES, 'nginx.conf'), 'utf8');
    const numbers: Record<string, number> = { 8080: ports[0], 7071: ports[1], 7072: ports[2] };
    const config = recipe.replace(
      /^( *)(server|listen)( 127.0.0.1:)(\d+)/gm,
      (...found) => found.slice(1, 4).join('') + numbers[found[4]],
    );
    await writeFile(path.join(folder, 'nginx.conf'), config);
    nginx = spawn('nginx', [
      '-p',
      folder,
      '-c',
      'nginx.conf',
      '-e',
      'error.log',
      '-g',
      'daemon off; pid nginx.pid;',
    ]);
    url = `http://127.0.0.1:${ports[0]}`;
    while (!(await isListening(ports[0]))) await pause(20);
  });
  afterAll(async () => {
    await live.close();
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await rm(folder, { recursive: true });
  });

  test('a rolling restart under load fails no request, and sockets come back and converge (R10, L7)', async () => {
    const users = Array.from({ length: 10 }, (_, number) => `user-${number}`);
    for (const user of users) await live.fixture.identify(user);
    const send = async (user: string, method: string, target: string) => {
      const headers = { 'x-api-key': live.key };
      return (
        await fetch(`${url}/v2/${target}userIdentifier=${user}&version=1`, { method, headers })
      ).status;
    };
    for (const user of users) expect(await send(user, 'GET', 'flow/onboarding?')).toBe(200);
    const clients = await Promise.all(users.map((user) => live.connect(user, { url })));
    await Promise.all(clients.map((client) => client.watch('onboarding')));

    let isOver = false;
    const statuses = new Map<number, number>();
    const load = users.map(async (user) => {
      while (!isOver) {
        const status = await send(user, 'POST', 'block/u-counter/transition?transitions=again&');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await pause(5);
      }
    });
    for (const [index, port] of ports.slice(1).entries()) {
      const old = live.services[index]!;
      old.process.kill('SIGTERM');
      expect(await old.ended).toEqual({ code: 0, signal: null });
      live.services[index] = await live.start({ PORT: String(port) });
    }
    isOver = true;
    await Promise.all(load);
    expect([...statuses.keys()]).toEqual([204]);
    for (const user of users)
      expect(await send(user, 'POST', 'block/u-counter/transition?transitions=done&')).toBe(204);
    for (const client of clients)
      await client.until('u-counter', (block) => block.transitioned['done'] === true);
    expect(clients.some((client) => client.events().includes('disconnect'))).toBe(true);
  });
});

async function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}
