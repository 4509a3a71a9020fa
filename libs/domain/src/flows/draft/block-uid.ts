import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { BlockType } from '../../engine/index.js';

/**
 * Every uid a flow ever had, by identifier, type and container: what changes back gets its old uid
 * (F3).
 */
@Entity('block_uids')
@Index('block_uids_owner', ['flow', 'identifier', 'type', 'containerUid'], { unique: true })
export class BlockUid {
  @PrimaryColumn('varchar', { length: 64 })
  uid: string;

  @Column('varchar', { length: 128 })
  flow: string;

  @Column('varchar', { length: 128 })
  identifier: string;

  @Column('varchar', { length: 32 })
  type: BlockType;

  /** uid of the container of an item, empty for blocks. */
  @Column('varchar', { name: 'container_uid', length: 64, default: '' })
  containerUid: string;
}
