import type {
  Block,
  BlockDraft,
  BlockType,
  FlowDefinition,
  FlowDraft,
  Item,
  ItemDraft,
  Uid,
} from '../../engine/index.js';

/**
 * A uid that a flow has or once had: it belongs to an identifier, its type and its container (F3).
 */
export interface KnownUid {
  uid: Uid;
  identifier: string;
  type: BlockType;
  /** uid of the container of an item, empty for blocks. */
  containerUid: Uid | '';
}

export interface Identified {
  definition: FlowDefinition;
  /** In the order of the file; to be remembered. */
  created: KnownUid[];
  /** Known ones under their new identifiers; their old ones no longer have them. */
  renamed: KnownUid[];
}

/**
 * Gives every block and item of a checked draft its uid: the known one of its identifier, type and
 * container, else the one that `was` names, else one of `makeUid` (F3). `makeUid` answers a new one
 * each time.
 */
export function assignUids(
  draft: FlowDraft,
  known: readonly KnownUid[],
  makeUid: () => Uid,
): Identified {
  const uids = new FlowUids(known, makeUid);
  const definition = { ...draft, blocks: draft.blocks.map((block) => identifyBlock(block, uids)) };
  return { definition, created: uids.created, renamed: uids.renamed };
}

function identifyBlock(draft: BlockDraft, uids: FlowUids): Block {
  const uid = uids.take(draft, '');
  const { was: _, ...block } = draft;
  if (!('items' in block)) return { ...block, uid };
  return { ...block, uid, items: block.items.map((item) => identifyItem(item, uid, uids)) };
}

function identifyItem(draft: ItemDraft, container: Uid, uids: FlowUids): Item {
  const { was: _, ...item } = draft;
  return { ...item, uid: uids.take(draft, container) };
}

class FlowUids {
  readonly created: KnownUid[] = [];
  readonly renamed: KnownUid[] = [];
  private readonly known: ReadonlyMap<string, Uid>;

  constructor(
    known: readonly KnownUid[],
    private readonly makeUid: () => Uid,
  ) {
    this.known = new Map(known.map((entry) => [keyOf(entry), entry.uid]));
  }

  take({ id: identifier, was, type }: BlockDraft | ItemDraft, containerUid: Uid | ''): Uid {
    const present = this.known.get(keyOf({ identifier, type, containerUid }));
    if (present !== undefined) return present;
    const former =
      was === undefined
        ? undefined
        : this.known.get(keyOf({ identifier: was, type, containerUid }));
    const uid = former ?? this.makeUid();
    (former === undefined ? this.created : this.renamed).push({
      uid,
      identifier,
      type,
      containerUid,
    });
    return uid;
  }
}

function keyOf({ identifier, type, containerUid }: Omit<KnownUid, 'uid'>): string {
  return JSON.stringify([identifier, type, containerUid]);
}
