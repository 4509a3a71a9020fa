import type { EntityManager } from 'typeorm';
import { lookWhetherDistributed } from '../../database/is-distributed.js';
import { invalidRequest } from '../../errors/index.js';

/**
 * Throws `request.invalid` where Citus spreads the tables over servers: each counts its own transactions, so that the events
 * have no common order to follow (G4).
 */
export async function refuseDistributed(manager: EntityManager): Promise<void> {
  if (await lookWhetherDistributed(({ text }) => manager.query<{ yes: boolean }[]>(text)))
    throw invalidRequest(
      'events cannot be followed where tables are distributed: the servers have no common order of transactions; flow_events can be read as a table',
    );
}
