import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A session of the studio that its person has ended before its cookie was over (T2, T3). */
@Entity('ended_sessions')
export class EndedSession {
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;
}
