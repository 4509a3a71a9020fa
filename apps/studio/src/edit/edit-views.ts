import type { PlannedUsers, SimulatedStep } from '@waymark/domain/analysis';
import type { FileProblem, StandardField, TranslatedText } from '@waymark/domain/flow-files';
import type { PictureResult } from '../reader/picture-result.js';
import type { ShownBlocks } from '../reader/show.js';

export type { ShownBlocks };

/** What the server says of a text that is being edited, before it has drawn it. */
export interface Checked {
  problems: FileProblem[];
  /** The flow that the text describes; null where an error keeps it from being one. */
  flow: string | null;
  /** Left out where the text has an error. */
  previews?: Previews;
}

/** A formatted text as users read it, and the field that it is written in. */
export interface Preview {
  block: string;
  item?: string;
  field: string;
  nodes: readonly object[];
}

export interface Previews {
  shown: Preview[];
  /** How many more there are, where they are more than anybody looks at. */
  left: number;
}

/** The text as a picture, which is left out where the page has it already, or why there is none. */
export type DraftPicture =
  (PictureResult & { noPicture?: undefined }) | { noPicture: 'error' | 'large' | 'tangled' };

/** A draft as it is stored. */
export interface Source {
  text: string;
  /** Names this very text when it is saved. */
  sha256: string;
  /** The last commit. */
  latest: number | null;
}

/** What the forms need to know about blocks. */
export interface Vocabulary {
  /** Fields that blocks of a type always have. */
  fields: Readonly<Record<string, readonly StandardField[]>>;
  /** Names of paths by type; those of custom blocks are free. */
  paths: Readonly<Record<string, readonly string[]>>;
}

/** A text of a flow, and what it is in another language (X5). */
export interface TextShown extends TranslatedText {
  /** The block or item, and its field. */
  block: string;
  field: string;
  isLong: boolean;
  /** Whether a translation without it is not whole. */
  isWanted: boolean;
  isMissing: boolean;
  /** Whether the original was changed since. */
  isOlder: boolean;
}

export interface Saved {
  flow: string;
  sha256: string;
}

/** What a commit would mean, before it is made. */
export interface CommitPreview {
  differences: string[];
  /** The last commit. */
  latest: number | null;
  /**
   * Only where the environment pins a version, whose users do not meet the commit before it is
   * unpinned.
   */
  pinned?: number;
  /** Whether users of the environment meet only what is released there (Z10). */
  releasesByPin: boolean;
  /** What happens to users of the environment who are in an older version, by each strategy. */
  plans: Readonly<Record<string, PlannedUsers>>;
  /** What users read as the titles of the blocks of the last commit, by identifier. */
  titles: Readonly<Record<string, string>>;
  /** How many users were looked at, where not everybody was. */
  sampled?: number;
}

/** How far a walk through a draft has come. */
export interface TryResult {
  steps: readonly SimulatedStep[];
  /** Where it may go on: blocks that are active, with the names of their paths. */
  choices: { block: string; names: readonly string[] }[];
  /** What the user sees there. */
  shown: ShownBlocks;
  /** The flow in the colours of where the walk is; left out where it cannot be drawn. */
  svg?: string;
}
