import type { ListedEntry } from '@waymark/domain/database/audit';
import type { GivenUp, ListedEffect } from '@waymark/domain/outbound';
import type { ListedReset, ResetDone } from '@waymark/domain/states';
import type { JsonRow } from '../work/json-row.js';

/** A webhook or flow trigger that waits, and what it does, in words. */
type EffectRow = Omit<ListedEffect, 'effect'> & { readonly what: string };
export type EffectLine = JsonRow<EffectRow>;
export type GivenUpLine = JsonRow<GivenUp>;

/** The first rows of a list, and whether it goes on. */
export interface Some<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** What was given up is newest first, what waits oldest first. */
export interface EffectsFound {
  readonly givenUp: Some<GivenUp>;
  readonly waiting: Some<EffectRow>;
}

export type ChangeRow = Omit<ListedEntry, 'userId' | 'result'> & {
  readonly outcome: string;
  /** Whom it was done to; null for what concerns no user, or one who is gone. */
  readonly user: string | null;
  /** Versions that were published, by flow. */
  readonly published: Readonly<Record<string, number>>;
  /** Why a version was published; null for everything else. */
  readonly message: string | null;
  /** How many users it was done to, and how many not, by outcome. */
  readonly counts: Readonly<Record<string, number>>;
  /** What a file that was applied names, by what happened to it. */
  readonly named: Readonly<Record<string, readonly string[]>>;
};
export type ChangeLine = JsonRow<ChangeRow>;

export type RunLine = JsonRow<ListedReset>;

/** The result of a reset of many users, and some of these users. */
export type ResetOutcome = ResetDone & { readonly sample: readonly string[] };
