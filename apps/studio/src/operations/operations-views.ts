/** A webhook or flow trigger that waits or has failed. */
export interface EffectLine {
  id: string;
  user: string;
  flow: string;
  version: number;
  /** What it does, in words. */
  what: string;
  attempts: number;
  createdAt: string;
  nextAttemptAt: string | null;
  failedAt: string | null;
  lastError: string | null;
}

export interface KeyLine {
  id: string;
  kind: string;
  name: string | null;
  createdAt: string;
  /** To the minute; null while nobody used it. */
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface ChangeLine {
  at: string;
  by: string;
  action: string;
  subject: string | null;
  environment: string | null;
  reason: string | null;
  outcome: string;
}

export interface RunLine {
  id: string;
  flow: string;
  version: number;
  by: string | null;
  undoes: string | null;
  reset: number;
  movedOn: number;
  failed: number;
  startedAt: string;
  finishedAt: string | null;
}

/** What became of a reset of many. */
export interface ResetOutcome {
  /** Users whom it is for. */
  matched: number;
  reset: number;
  unchanged: number;
  failed: number;
  /** With which it can be undone; null where it was only counted. */
  run: string | null;
  /** Some of them. */
  sample: string[];
}
