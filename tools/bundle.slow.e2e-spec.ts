import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createTestDatabase } from '@waymark/testing/postgres';
import { bundleOf, call, spawnService } from '@waymark/testing/services';

/**
 * The bundler tells classes of one name apart by a digit: it must not name a schema. And every
 * parameter says what it takes.
 */
function expectNamesAndTypes({ components, paths }: OpenAPIObject): void {
  const schemas = Object.keys(components?.schemas ?? {});
  expect(schemas.filter((name) => /\d$/.test(name))).toEqual([]);
  const operations = Object.values(paths).flatMap(({ get, post }) => [get, post]);
  for (const parameter of operations.flatMap((operation) => operation?.parameters ?? [])) {
    expect(parameter).not.toEqual(expect.objectContaining({ schema: {} }));
  }
}

const packageJson = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

test.each(['users-api', 'blocks-api'] as const)(
  '%s runs from what its image holds, docs too',
  async (name) => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(path.join(tmpdir(), 'waymark-bundle-'));
    const bundle = path.join(folder, 'main.js');
    await copyFile(bundleOf(name), bundle);
    await cp(path.join(path.dirname(bundleOf(name)), 'docs'), path.join(folder, 'docs'), {
      recursive: true,
    });
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    const service = await spawnService(name, { DATABASE_URL: database.url, DOCS: 'on' }, bundle);
    try {
      expect(await call(service, 'GET /health/ready')).toMatchObject({
        status: 200,
        body: {
          version: packageJson.version,
          commit: expect.stringMatching(/^([0-9a-f]{12}|unknown)$/),
        },
      });
      const { status, body } = await call(service, 'GET /docs/json');
      expect([status, body]).toMatchObject([200, { openapi: '3.1.0' }]);
      expectNamesAndTypes(body as OpenAPIObject);
      for (const file of ['viewer.js', 'viewer.css'])
        expect(await call(service, `GET /docs/${file}`)).toMatchObject({ status: 200 });
    } finally {
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    }
  },
);

/** Writes which CommonJS modules a process has loaded from files when it ends. */
const SAY_LOADED = `import { Module } from 'node:module';
process.on('exit', () => console.log(JSON.stringify({ loaded: Object.keys(Module._cache) })));`;

test.each(['users-api', 'blocks-api', 'studio'] as const)(
  '%s loads no package from beside its bundle, where there are any',
  async (name) => {
    const database = await createTestDatabase();
    const service = await spawnService(name, {
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SAY_LOADED)}`,
    });
    await service.stop();
    await database.drop();
    expect(service.lines.filter((line) => line.includes('"loaded"'))).toEqual(['{"loaded":[]}']);
  },
);

const COMMAND = path.resolve('dist/apps/waymark');

test('waymark runs from what its image holds', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-bundle-'));
  const dist = path.join(folder, 'dist/apps/waymark');
  for (const name of (await readdir(COMMAND)).filter((file) => file.endsWith('.js')))
    await cp(path.join(COMMAND, name), path.join(dist, name));
  await cp('apps/waymark/bin', path.join(folder, 'apps/waymark/bin'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const run = async (...args: string[]): Promise<unknown> => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
    const bin = path.join(folder, 'apps/waymark/bin/waymark.mjs');
    return JSON.parse(
      (await promisify(execFile)(process.execPath, [bin, ...args, '--json'], { env })).stdout,
    );
  };
  try {
    const commit = expect.stringMatching(/^([0-9a-f]{12}|unknown)$/) as unknown;
    expect(await run('--version')).toEqual({ version: packageJson.version, commit });
    expect(
      await run(
        'flow',
        'apply',
        path.resolve('examples/flows/onboarding.yaml'),
        '--commit',
        '-m',
        'first',
      ),
    ).toBeTruthy();
    expect(await run('flow', 'list')).toMatchObject({ flows: [{ flow: 'onboarding' }] });
  } finally {
    await database.drop();
    await rm(folder, { recursive: true });
  }
});

test('parts of the command stay for a day after a bundle had them, for those who run it since', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-bundle-'));
  // Not as a type: what builds is JavaScript.
  const tool = (await import('./build.mjs' as string)) as {
    build(list: { name: string; bundle?: string }[]): Promise<void>;
    projects(): Promise<{ name: string; bundle?: string }[]>;
  };
  const command = (await tool.projects()).find(({ name }) => name === 'waymark')!;
  const [recent, old] = ['recent-AAAAAAAA.js', 'old-AAAAAAAA.js'].map((name) =>
    path.join(folder, name),
  ) as [string, string];
  const yesterday = Date.now() / 1_000 - 25 * 3_600;
  try {
    for (const file of [recent, old]) await writeFile(file, '');
    await utimes(old, yesterday, yesterday);
    await tool.build([{ ...command, bundle: path.join(folder, 'main.js') }]);
    const files = await readdir(folder);
    expect(files).toEqual(expect.arrayContaining(['main.js', path.basename(recent)]));
    expect(files).not.toContain(path.basename(old));
  } finally {
    await rm(folder, { recursive: true });
  }
});

/**
 * What a built module loads at once, by name; what it imports later, when it is needed, is left
 * out.
 */
async function loadedBy(file: string, found = new Set<string>()): Promise<Set<string>> {
  const code = await readFile(file, 'utf8');
  for (const [, name] of code.matchAll(
    /^(?:import|import [^;'"]*from|export [^;'"]*from) ['"]([^'"]+)['"]/gm,
  )) {
    const target = name!.startsWith('.') ? path.join(path.dirname(file), name!) : name!;
    if (found.has(target)) continue;
    found.add(target);
    if (name!.startsWith('.')) await loadedBy(target, found);
  }
  return found;
}

test('waymark loads the protocol of agents for `waymark mcp` alone (M1)', async () => {
  const main = path.join(COMMAND, 'main.js');
  const atOnce = new Set([main, ...(await loadedBy(main))].map((file) => path.basename(file)));
  const withProtocol: string[] = [];
  for (const name of (await readdir(COMMAND)).filter((file) => file.endsWith('.js')))
    if ((await readFile(path.join(COMMAND, name), 'utf8')).includes('/@modelcontextprotocol/'))
      withProtocol.push(name);
  expect(withProtocol).not.toEqual([]);
  expect(withProtocol.filter((name) => atOnce.has(name))).toEqual([]);
});

test('waymark loads no package but commander before it knows what it is asked for', async () => {
  const loaded = [...(await loadedBy(path.join(COMMAND, 'modules/main.js')))];
  expect(loaded).toContain(path.join(COMMAND, 'modules/commands/migrate.js'));
  expect(loaded.filter((name) => !path.isAbsolute(name) && !name.startsWith('node:'))).toEqual([
    'commander',
  ]);
});

/** What may be shipped without asking anybody; texts of the licences go along. */
const FREE = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
];

test.each([
  ['users-api', ['fastify', 'pg', 'typeorm', 'swagger-ui-dist']],
  ['blocks-api', ['fastify', 'pg', 'typeorm', 'swagger-ui-dist', 'socket.io', 'jose']],
  ['studio', ['fastify', 'pg', 'typeorm']],
  ['studio/pages', ['preact']],
  ['waymark', ['commander', 'pg', 'typeorm', 'yaml', '@modelcontextprotocol/sdk', 'zod', 'ajv']],
])('the licences of all packages in the bundle of %s are beside it', async (place, expected) => {
  const text = await readFile(
    path.join(path.dirname(bundleOf('users-api')), '..', place, 'THIRD-PARTY.txt'),
    'utf8',
  );
  const packages = [...text.matchAll(/^={80}\n(\S+) \S+, (.*)\n={80}\n\n(.*)/gm)].map(
    ([, name, licence]) => ({ name, licence }),
  );
  expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(expected));
  expect(packages.filter(({ licence }) => !FREE.includes(licence!))).toEqual([]);
});
