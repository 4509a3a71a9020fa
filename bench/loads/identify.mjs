import { randomUUID } from 'node:crypto';

/**
 * Identifies of random users, one a request or `batch` of them; of `/track`, what they did, each
 * time with another id.
 */
export function createRequests({ users, batch, key, path }) {
  const headers = key ? { 'x-api-key': key } : {};
  if (path === '/track') return () => ({ path, headers, body: event(users) });
  const user = () =>
    `{"identifier":"user-${Math.floor(Math.random() * users)}","properties":{"plan":"pro","seats":${Math.floor(Math.random() * 1000)},` +
    '"admin": false,"company":"Example Inc","email":"ada@example.com","signedUpAt":"2024-05-01"}}';
  if (!batch) return () => ({ path, headers, body: user() });
  return () => ({ path, headers, body: `[${Array.from({ length: batch }, user).join(',')}]` });
}

const event = (users) =>
  `{"userIdentifier":"user-${Math.floor(Math.random() * users)}","event":"Did ${Math.floor(Math.random() * 20)}","id":"${randomUUID()}"}`;
