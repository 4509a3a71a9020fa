import type { ListedEntry } from '@waymark/domain/audit';
import type { ListedEffect } from '@waymark/domain/effects';
import type { KeyView } from '@waymark/domain/environments';
import type { ListedReset, ResetDone } from '@waymark/domain/flow-states';
import type { Told } from '../work/told.js';

/** A webhook or flow trigger that waits or has failed, and what it does, in words. */
export type EffectRow = Omit<ListedEffect, 'effect'> & { readonly what: string };
export type EffectLine = Told<EffectRow>;

export type KeyRow = Omit<KeyView, 'key'>;
export type KeyLine = Told<KeyRow>;

export type ChangeRow = Omit<ListedEntry, 'userId' | 'result'> & { readonly outcome: string };
export type ChangeLine = Told<ChangeRow>;

export type RunLine = Told<ListedReset>;

/** What became of a reset of many, and some of those whom it is for. */
export type ResetOutcome = ResetDone & { readonly sample: readonly string[] };
