import type { Json, SegmentTexts } from '../../targeting/index.js';

/** Container types and the type of their items (S2). */
export const ITEM_TYPES = {
  checklist: 'checklistItem',
  tour: 'tourItem',
  hints: 'hintsItem',
} as const;

export type ContainerType = keyof typeof ITEM_TYPES;
export type ItemType = (typeof ITEM_TYPES)[ContainerType];
/** Block types that clients see (S2, B6). */
export const EXPOSED_TYPES = [
  'custom',
  'card',
  'modal',
  'checklist',
  'checklistItem',
  'hints',
  'hintsItem',
  'tour',
  'tourItem',
] as const;
export type ExposedType = (typeof EXPOSED_TYPES)[number];
/**
 * Block types that act by themselves and are never shown to clients (S2); `finish` is a target,
 * never written as a block.
 */
export const LOGIC_TYPES = ['branch', 'split', 'gate', 'delay', 'webhook', 'flow-trigger'] as const;
export type LogicType = (typeof LOGIC_TYPES)[number];
export type BlockType = ExposedType | LogicType;

/** What a client can ask of a flow (POST /v2/flow/:sid/:intent). */
export const INTENTS = ['start', 'reset', 'stop', 'finish'] as const;
export type Intent = (typeof INTENTS)[number];

export const FIELD_TYPES = ['string', 'number', 'boolean', 'richText'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * A property of the user that a text shows (Z5): the steps below `user.properties`, and the word
 * for who has none.
 */
export interface Insertion {
  path: (string | number)[];
  or?: string;
}
export type TextPart = string | Insertion;

/** One named value shown by a client (B7); `null` is an emptied standard field. */
export interface Field {
  sid: string;
  type: FieldType;
  value: Json;
  /**
   * Of a text that shows properties of its user, in place of `value`, which is as it is written;
   * texts of rich text have the same (Z5).
   */
  parts?: TextPart[];
}

/** Leaves one block, carries one or more names, leads to one block or to `finish` (S1). */
export interface Path {
  names: string[];
  /** Identifier of a block of the same flow, or `finish`. */
  to: string;
}

interface DraftBase {
  /** Identifier, unique among the blocks and items of its flow (F3). */
  id: string;
  /** Earlier identifier whose uid this block takes over (F3). Only in drafts, never stored. */
  was?: string;
  /** In the order of the file, standard fields first (S1). */
  fields: Field[];
}

/** A block that is left by itself once a condition holds (Z1). */
export interface Done {
  /** Source text of the condition. */
  when: string;
  /** The name that it takes; `complete`, but for custom blocks. */
  take: string;
}

export interface ItemDraft extends DraftBase {
  type: ItemType;
  /** Of an item of a checklist or of hints. */
  done?: Done;
}

interface BlockDraftBase extends DraftBase {
  /** One entry per target, in the order of the file (S1). */
  paths: Path[];
}

export interface PlainDraft extends BlockDraftBase {
  type: 'custom' | 'card' | 'modal' | 'gate';
  /**
   * Of a custom block, only where a name leads nowhere: all its names, in the order of the file
   * (S3).
   */
  names?: string[];
  /** Of a custom block, card or modal. */
  done?: Done;
}
export interface ContainerDraft extends BlockDraftBase {
  type: ContainerType;
  items: ItemDraft[];
}
export interface BranchDraft extends BlockDraftBase {
  type: 'branch';
  /** Source text of the condition (S15, S29). */
  when: string;
}
/** Goes on by itself once its time is over (Z4). */
export interface DelayDraft extends BlockDraftBase {
  type: 'delay';
  /** Milliseconds, from a minute to 365 days. */
  for: number;
}
/**
 * Who goes the same way: a user by themselves, or all users of the group that their requests name
 * (K1).
 */
export const SPLIT_SUBJECTS = ['user', 'group'] as const;
export type SplitSubject = (typeof SPLIT_SUBJECTS)[number];

/** One way of a split, which as many people take as its share is of all shares. */
export interface Way {
  name: string;
  share: number;
}

/** 0 to this one. */
export const HIGHEST_SHARE = 1_000;

export interface SplitDraft extends BlockDraftBase {
  type: 'split';
  by: SplitSubject;
  /** In the order of the file; every path carries the name of one. */
  ways: Way[];
}
export interface WebhookDraft extends BlockDraftBase {
  type: 'webhook';
  url: string;
  /** In the order of the file; values may hold tokens (S19). */
  headers: { name: string; value: string }[];
  /** Strings inside may hold tokens (S19); absent: no body. */
  body?: Json;
}
export interface TriggerDraft extends BlockDraftBase {
  type: 'flow-trigger';
  flow: string;
  intent: Intent;
  version: number | 'latest';
}
export type BlockDraft =
  PlainDraft | ContainerDraft | BranchDraft | SplitDraft | DelayDraft | WebhookDraft | TriggerDraft;

/** Who may enter by themselves (S7). `when` is the source text of an expression. */
export type Target = (
  { users: 'all' } | { users: 'api-only' } | { users: 'matching'; when: string }
) & {
  /** Dates as they are written, from and before which users enter by themselves (Z8). */
  from?: string;
  until?: string;
};

/**
 * Texts of a flow in one more language (X1): of blocks and items by identifier, in the order of the
 * file.
 */
export interface Translation {
  /** A canonical tag of BCP 47. */
  language: string;
  blocks: { id: string; fields: Field[] }[];
}

/**
 * Formats of flows and events. 2 has what releases before the first one with an engine level would
 * pass over, so that they refuse it (R17); what uses nothing of it is written as 1, which they
 * read.
 */
const FORMATS = [1, 2] as const;
export type Format = (typeof FORMATS)[number];
export const NEWEST_FORMAT: Format = 2;

export const isKnownFormat = (format: number): boolean =>
  (FORMATS as readonly number[]).includes(format);

/** The flows of a group take turns in starting by themselves (Q1). */
export interface Attention {
  /** Named like a flow; a group that is not known limits nothing. */
  group: string;
  /** 0 where it is left out; higher first. */
  priority?: number;
}

/** 0 to this one. */
export const HIGHEST_PRIORITY = 1_000;

interface FlowBase {
  /** The lowest format that has all that this flow uses (Z0). */
  format: Format;
  /** Identifier of the flow. */
  flow: string;
  name?: string;
  /** Of the texts in `blocks`; given where there are `languages` (X1). */
  language?: string;
  languages?: Translation[];
  target: Target;
  attention?: Attention;
  /** A date as it is written: from then on nothing starts, and what runs is stopped (Z8). */
  end?: string;
  /**
   * Source text of a condition: what the flow is for, counted by reports and otherwise without
   * effect (Z7).
   */
  goal?: string;
  /**
   * The texts of the segments that its conditions mention, as they were when this was stored; in no
   * file (Z6).
   */
  segments?: SegmentTexts;
  /** Where the start leads: block identifiers or `finish`. */
  start: string[];
}

/** A flow as a file describes it: everything but the uids. */
export interface FlowDraft extends FlowBase {
  blocks: BlockDraft[];
}

/** Opaque, made once, the same in every version of a flow (B6, F3). URL-safe, without a dot. */
export type Uid = string;

type Identified<D> = D extends ContainerDraft
  ? Omit<D, 'items' | 'was'> & { uid: Uid; items: Item[] }
  : Omit<D, 'was'> & { uid: Uid };
export type Item = Omit<ItemDraft, 'was'> & { uid: Uid };
export type Block = Identified<BlockDraft>;
export type Container = Extract<Block, { type: ContainerType }>;

/** A flow as it is stored and run: lists everywhere, since objects and `jsonb` lose order (S1). */
export interface FlowDefinition extends FlowBase {
  blocks: Block[];
}
