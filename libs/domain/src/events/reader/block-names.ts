import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import { type FlowDefinition, partsOf } from '../../engine/index.js';
import { RecentlyUsed } from '../../targeting/values/recently-used.js';

/** How others know a block. */
export interface BlockName {
  readonly block: string;
  /** Left out if the block is no longer known. */
  readonly blockType?: string;
}

const LOAD_DEFINITION = defineStatement(
  'load_definition_of_names',
  'SELECT definition FROM flow_versions WHERE flow = $1 AND version = $2',
);
const LOAD_UIDS = defineStatement(
  'load_uids_of_flow',
  'SELECT uid, identifier, type FROM block_uids WHERE flow = $1',
);

/** Blocks whose names are remembered at most. */
const CAPACITY = 50_000;

type Names = ReadonlyMap<string, BlockName>;

/**
 * Identifiers and types of blocks by uid, as they were in a version; for version 0, in which blocks
 * come and go, as they were last called (E5). Commits never change and are remembered.
 */
export class BlockNames {
  private readonly committed = new RecentlyUsed<Names>(CAPACITY);

  constructor(private readonly database: Database) {}

  /** Knows every uid: one that is in no definition any more stands for itself. */
  async load(flow: string, version: number): Promise<(uid: string) => BlockName> {
    const names = version === 0 ? await this.loadUids(flow) : await this.loadCommit(flow, version);
    return (uid) => names.get(uid) ?? { block: uid };
  }

  private async loadUids(flow: string): Promise<Names> {
    const rows = await this.database.run<{ uid: string; identifier: string; type: string }>(
      LOAD_UIDS,
      [flow],
    );
    return new Map(
      rows.map(({ uid, identifier, type }) => [uid, { block: identifier, blockType: type }]),
    );
  }

  private async loadCommit(flow: string, version: number): Promise<Names> {
    const key = `${flow}@${version}`;
    const known = this.committed.find(key);
    if (known) return known;
    const [row] = await this.database.run<{ definition: FlowDefinition }>(LOAD_DEFINITION, [
      flow,
      version,
    ]);
    const names = namesIn(row?.definition ?? { blocks: [] });
    this.committed.set(key, names, names.size + 1);
    return names;
  }
}

const namesIn = (definition: Pick<FlowDefinition, 'blocks'>): Names =>
  new Map(partsOf(definition).map(({ uid, id, type }) => [uid, { block: id, blockType: type }]));
