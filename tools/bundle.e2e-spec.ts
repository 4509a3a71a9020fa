import { expect, test } from '@jest/globals';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '@waymark/testing/postgres';
import { bundleOf, call, spawnService } from '@waymark/testing/services';

test.each(['users-api', 'blocks-api'] as const)('%s runs from its bundle alone, docs too', async (name) => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-bundle-'));
  const bundle = path.join(folder, 'main.js');
  await copyFile(bundleOf(name), bundle);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const service = await spawnService(name, { DATABASE_URL: database.url, DOCS: 'on' }, bundle);
  try {
    expect(await call(service, 'GET /health/ready')).toMatchObject({ status: 200 });
    expect(await call(service, 'GET /docs/json')).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
  } finally {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  }
});
