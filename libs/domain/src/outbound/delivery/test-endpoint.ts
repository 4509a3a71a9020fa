import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../access/environment/environment.js';
import { post, type PostAnswer } from '../sending/post.js';
import { eventRequest } from './event-request.js';
import { getEndpoint } from '../endpoints/change-endpoint.js';

const TIMEOUT_MS = 10_000;

/**
 * Sends `waymark.test` to the endpoint from this machine, wherever its address leads, and returns
 * the answer (E6). Throws `endpoint.unknown`, and what the network says.
 */
export async function testEndpoint(
  manager: EntityManager,
  environmentId: string,
  name: string,
): Promise<PostAnswer> {
  const endpoint = await getEndpoint(manager, environmentId, name);
  const { name: environment } = await manager.findOneByOrFail(Environment, { id: environmentId });
  const [row] = (await manager.query('SELECT now() AS now')) as { now: Date }[];
  const { now } = row!;
  const event = {
    id: randomUUID(),
    type: 'waymark.test' as const,
    timestamp: now.toISOString(),
    environment,
  };
  const secrets = endpoint.secret === null ? [] : [endpoint.secret];
  const request = eventRequest({ ...endpoint, secrets }, [event], now.getTime());
  return post(
    request,
    { allowPrivateAddresses: true, timeoutMs: TIMEOUT_MS },
    new AbortController().signal,
  );
}
