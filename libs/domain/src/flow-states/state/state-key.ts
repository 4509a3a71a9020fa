import { PrimaryColumn } from 'typeorm';

/** What tells a state from others: a user in one version of one flow (S5). What belongs to it begins with the same columns. */
export abstract class StateKey {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('varchar', { length: 128 })
  flow: string;

  @PrimaryColumn('integer')
  version: number;
}
