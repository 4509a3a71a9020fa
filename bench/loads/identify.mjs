/** Identifies of random users, one a request or `batch` of them. */
export function createRequests({ users, batch, key, path }) {
  const headers = key ? { 'x-api-key': key } : {};
  const user = () =>
    `{"identifier":"user-${Math.floor(Math.random() * users)}","properties":{"plan":"pro","seats":${Math.floor(Math.random() * 1000)},` +
    '"admin": false,"company":"Example Inc","email":"ada@example.com","signedUpAt":"2024-05-01"}}';
  if (!batch) return () => ({ path, headers, body: user() });
  return () => ({ path, headers, body: `[${Array.from({ length: batch }, user).join(',')}]` });
}
