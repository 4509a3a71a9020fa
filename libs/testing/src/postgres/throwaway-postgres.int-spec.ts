import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administer } from './administer.js';
import { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.js';

let server: ThrowawayPostgres;
beforeAll(async () => {
  server = await startThrowawayPostgres();
});
afterAll(() => server.remove());

const insert = (name: string) =>
  administer(server.url, (client) =>
    client.query('INSERT INTO environments (name) VALUES ($1)', [name]),
  );
const count = async () => {
  const { rows } = await administer(server.url, (client) =>
    client.query('SELECT count(*)::int FROM environments'),
  );
  return (rows[0] as { count: number }).count;
};

test('a throwaway server keeps what was committed over a crash, a kill and a stop, on the same address (R1)', async () => {
  await insert('before the crash');
  await server.restart('immediate');
  await insert('before the kill');
  await server.kill();
  await expect(count()).rejects.toThrow(/ECONNREFUSED/);
  await server.start();
  await insert('before the stop');
  await server.restart();
  expect(await count()).toBe(5);
});
