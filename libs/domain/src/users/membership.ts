import { Column, Entity, PrimaryColumn } from 'typeorm';

/** That a user belongs to a group; recorded by identify, never required (U3, B3). */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('uuid', { name: 'group_id' })
  groupId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
