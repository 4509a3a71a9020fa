import { type EntityManager, Column, Entity, PrimaryColumn } from 'typeorm';

/** A session of the studio that its person has ended before its cookie was over (T2, T3). */
@Entity('ended_sessions')
export class EndedSession {
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;
}

export const isSessionEnded = (manager: EntityManager, id: string): Promise<boolean> =>
  manager.existsBy(EndedSession, { id });

/**
 * Ends a session for every process that shares its secret, so that copies of its cookie are
 * useless. What was ended longer ago than a session lasts is forgotten, as those cookies are over
 * by themselves.
 */
export async function endSession(
  manager: EntityManager,
  id: string,
  sessionsLastSeconds: number,
): Promise<void> {
  await manager
    .createQueryBuilder()
    .insert()
    .into(EndedSession)
    .values({ id })
    .orIgnore()
    .execute();
  await manager.query('DELETE FROM ended_sessions WHERE at < now() - make_interval(secs => $1)', [
    sessionsLastSeconds,
  ]);
}
