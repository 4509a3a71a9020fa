import { Check, Entity, PrimaryColumn } from 'typeorm';
import { Identified } from './identified.js';

/** A person of one environment, keyed by `userId(environment, identifier)`. */
@Entity('users')
@Check('users_properties_size', 'octet_length(properties::text) <= 1048576')
export class User extends Identified {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;
}
