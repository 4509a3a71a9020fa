import { expect, test } from '@jest/globals';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createTestDatabase } from '@waymark/testing/postgres';
import { bundleOf, call, spawnService } from '@waymark/testing/services';

/** The bundler tells classes of one name apart by a digit: it must not name a schema. And every parameter says what it takes. */
function expectNamesAndTypes({ components, paths }: OpenAPIObject): void {
  const schemas = Object.keys(components?.schemas ?? {});
  expect(schemas.filter((name) => /\d$/.test(name))).toEqual([]);
  const operations = Object.values(paths).flatMap(({ get, post }) => [get, post]);
  for (const parameter of operations.flatMap((operation) => operation?.parameters ?? [])) {
    expect(parameter).not.toEqual(expect.objectContaining({ schema: {} }));
  }
}

const packageJson = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

test.each(['users-api', 'blocks-api'] as const)('%s runs from its bundle alone, docs too', async (name) => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-bundle-'));
  const bundle = path.join(folder, 'main.js');
  await copyFile(bundleOf(name), bundle);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const service = await spawnService(name, { DATABASE_URL: database.url, DOCS: 'on' }, bundle);
  try {
    expect(await call(service, 'GET /health/ready')).toMatchObject({
      status: 200,
      body: { version: packageJson.version, commit: expect.stringMatching(/^([0-9a-f]{12}|unknown)$/) },
    });
    const { status, body } = await call(service, 'GET /docs/json');
    expect([status, body]).toMatchObject([200, { openapi: '3.1.0' }]);
    expectNamesAndTypes(body as OpenAPIObject);
  } finally {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  }
});
