import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { Environment } from '../environment/environment.js';

/**
 * Who may vouch for users of an environment (V2). Only the public key is stored, so a leak of the
 * table does not allow forging tokens.
 */
@Entity('signers')
@Unique('signers_environment_id_name_key', ['environmentId', 'name'])
export class Signer {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'environment_id' })
  @ForeignKey(() => Environment, { name: 'signers_environment_id_fkey' })
  environmentId: string;

  /** The `kid` of the tokens it signs. */
  @Column('varchar', { length: 128 })
  name: string;

  /** PEM, SPKI. */
  @Column('text', { name: 'public_key' })
  publicKey: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
