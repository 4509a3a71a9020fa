import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import type { AttentionRules } from '../../engine/index.js';

/** A group of flows that take turns in starting by themselves, in all environments (Q1). */
@Entity('attention_groups')
export class AttentionGroup {
  @PrimaryColumn('varchar', { length: 128 })
  name: string;

  /** In the file. */
  @Column('integer')
  position: number;

  @Column('jsonb')
  rules: AttentionRules;
}

const LOAD_GROUPS = defineStatement(
  'load_attention_groups',
  'SELECT name, rules FROM attention_groups',
);

/** For services: the rules of every group by its name. */
export async function loadAttentionRules(
  database: Database,
): Promise<ReadonlyMap<string, AttentionRules>> {
  const rows = await database.run<{ name: string; rules: AttentionRules }>(LOAD_GROUPS, []);
  return new Map(rows.map(({ name, rules }) => [name, rules]));
}
