import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import { type Author, type Notes, recordChange } from '../../database/audit/index.js';
import { DomainError, invalidRequest } from '../../database/errors/index.js';
import { makeWebhookSecret } from '../../access/environment/webhook-secret.js';
import { Endpoint } from './endpoint.js';
import { EndpointProgress } from './endpoint-progress.js';
import { findStart, type LogStart } from '../../events/reader/log-start.js';

/** The endpoint of that name. Throws `endpoint.unknown`, naming those that exist. */
export async function getEndpoint(
  manager: EntityManager,
  environmentId: string,
  name: string,
): Promise<Endpoint> {
  const found = await manager.findOneBy(Endpoint, { environmentId, name });
  if (found) return found;
  const others = await manager.find(Endpoint, { where: { environmentId }, order: { name: 'ASC' } });
  const names = others.map((endpoint) => endpoint.name).join(', ') || 'none';
  throw new DomainError(
    'endpoint.unknown',
    `there is no endpoint ${JSON.stringify(name)} in this environment (there are: ${names})`,
  );
}

type Work<Done> = (manager: EntityManager, endpoint: Endpoint, notes: Notes) => Promise<Done>;

/**
 * A change of one endpoint with its audit row, in one transaction. Throws as `getEndpoint` does.
 */
const changing =
  <Done>(action: string, work: Work<Done>) =>
  (dataSource: DataSource, environmentId: string, name: string, author: Author): Promise<Done> =>
    recordChange(dataSource, { action, environmentId }, author, async (manager, notes) => {
      const endpoint = await getEndpoint(manager, environmentId, name);
      notes.subject = endpoint.name;
      return work(manager, endpoint, notes);
    });

/** Delivers nothing from the next window on; later events wait in the log (E6). */
export const pauseEndpoint = changing('endpoint.pause', async (manager, { id }) => {
  await manager.update(Endpoint, { id, pausedAt: IsNull() }, { pausedAt: () => 'now()' });
  await manager.update(Endpoint, id, { pauseReason: null });
});

/** Delivers again, from where it was, and at once (E6). */
export const resumeEndpoint = changing('endpoint.resume', async (manager, { id }) => {
  await manager.update(Endpoint, id, { pausedAt: null, pauseReason: null });
  await manager.update(EndpointProgress, id, {
    nextAttemptAt: () => 'now()',
    downs: 0,
    setAsideInARow: 0,
  });
});

/** Deletes the endpoint, its position in the log, and what it refused (E6). */
export const removeEndpoint = changing('endpoint.remove', async (manager, { id }) => {
  await manager.delete(Endpoint, id);
});

/** Delivers everything from there on again; receivers know repeats by their ids (E6). */
export function replayEndpoint(
  dataSource: DataSource,
  environmentId: string,
  name: string,
  from: LogStart,
  author: Author,
): Promise<void> {
  const replay = changing('endpoint.replay', async (manager, { id }, notes) => {
    const { position, since } = await findStart(manager, from);
    await manager.update(Endpoint, id, { since });
    // A process that is delivering has lost its lease then, and cannot move the position.
    const anew = {
      openWindow: null,
      leaseToken: null,
      leaseUntil: null,
      nextAttemptAt: () => 'now()',
      waitingSince: null,
    };
    await manager.update(EndpointProgress, id, { ...position, ...anew });
    notes.result = { from: from instanceof Date ? from.toISOString() : from };
  });
  return replay(dataSource, environmentId, name, author);
}

/** A new secret, which is returned this once; for 24 hours the old one signs too (E6). */
export const rotateEndpointSecret = changing(
  'endpoint.rotate-secret',
  async (manager, endpoint) => {
    if (endpoint.secret === null)
      throw invalidRequest(`the format ${endpoint.format} is not signed, so there is no secret`);
    const secret = makeWebhookSecret();
    await manager.query(
      `UPDATE endpoints SET previous_secret = secret, previous_secret_until = now() + interval '24 hours', secret = $2 WHERE id = $1`,
      [endpoint.id, secret],
    );
    return secret;
  },
);
