import type { SegmentTexts } from '../../../targeting/index.js';
import type {
  BlockDraft,
  ContainerDraft,
  FlowDraft,
  ItemDraft,
} from '../../definition/definition.js';
import { buildGraph, type Graph } from '../graph/graph.js';
import type { Problem } from '../problems/problem.js';

/**
 * A draft with what its rules look up; where an identifier is there twice, the first one counts.
 */
export interface CheckedDraft {
  readonly draft: FlowDraft;
  readonly blocks: ReadonlyMap<string, BlockDraft>;
  readonly items: ReadonlyMap<
    string,
    { readonly item: ItemDraft; readonly container: ContainerDraft }
  >;
  readonly graph: Graph;
  readonly known: Known;
}

/** What is in the database, where there is one to look into. */
export interface Known {
  /** The flows that triggers may name. */
  readonly flows?: ReadonlySet<string>;
  readonly properties?: KnownProperties;
  /** The names of what users were seen to have done (Z2). */
  readonly events?: Seen;
  /** The attention groups that have rules. */
  readonly groups?: ReadonlySet<string>;
  /** The texts of the segments that conditions may name (Z6). */
  readonly segments?: SegmentTexts;
  /** The environments that do not require verified users (U6). */
  readonly unverified?: readonly string[];
}

/** Names that were seen, and at how many users or groups; 0 where nothing can be said. */
interface Seen {
  readonly names: ReadonlySet<string>;
  readonly lookedAt: number;
}

/** The names of the properties that users and groups were seen to have. */
type KnownProperties = Readonly<Record<'user' | 'group', Seen>>;

/** One group of the rules of S4. */
export type Rule = (checked: CheckedDraft) => Problem[];

export function checkedDraft(draft: FlowDraft, known: Known): CheckedDraft {
  const blocks = new Map<string, BlockDraft>();
  for (const block of draft.blocks) if (!blocks.has(block.id)) blocks.set(block.id, block);
  const items = new Map(
    draft.blocks.flatMap((container) =>
      isContainer(container) ? container.items.map((item) => [item.id, { item, container }]) : [],
    ),
  );
  return { draft, blocks, items, graph: buildGraph(draft), known };
}

export function isContainer(block: BlockDraft): block is ContainerDraft {
  return 'items' in block;
}
