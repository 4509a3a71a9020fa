import type { EntityManager } from 'typeorm';
import { Flow } from '../versions/flow.js';

/** Makes other changes of the flow wait until this transaction ends. */
export async function lockFlow(manager: EntityManager, flow: string): Promise<void> {
  await manager.findOne(Flow, { where: { flow }, lock: { mode: 'pessimistic_write' } });
}
