import type { EntityManager } from 'typeorm';
import { EndedSession } from './ended-session.js';

/**
 * Ends a session for every process that shares its secret, whoever has a copy of its cookie. What was ended longer ago than
 * a session lasts is forgotten, as those cookies are over by themselves.
 */
export async function endSession(manager: EntityManager, id: string, sessionsLastSeconds: number): Promise<void> {
  await manager.createQueryBuilder().insert().into(EndedSession).values({ id }).orIgnore().execute();
  await manager.query('DELETE FROM ended_sessions WHERE at < now() - make_interval(secs => $1)', [sessionsLastSeconds]);
}

export const isSessionEnded = (manager: EntityManager, id: string): Promise<boolean> => manager.existsBy(EndedSession, { id });
