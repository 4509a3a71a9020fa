const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds before each further attempt of an effect: growing, 24 hours in all (S19). */
const EFFECT_PAUSES = [
  5,
  25,
  90,
  5 * MINUTE,
  15 * MINUTE,
  38 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  4 * HOUR,
  6 * HOUR,
  7 * HOUR,
];

/**
 * Seconds until an effect is tried again after that many attempts; undefined when it was the last
 * (S19).
 */
export const pauseAfterAttempt = (attempts: number): number | undefined =>
  EFFECT_PAUSES[attempts - 1];

/**
 * Milliseconds until a refused event is tried again, after each try; behind the last one it is set
 * aside: fifteen minutes in all (E8).
 */
export const REFUSAL_PAUSES_MS = [5_000, 30_000, 145_000, 720_000];

const LONGEST_PAUSE_SECONDS = 600;

/**
 * Seconds until an endpoint is looked at again that was down so many times in a row: growing,
 * without an end (E8).
 */
export const pauseWhileDown = (downs: number, longestSeconds = LONGEST_PAUSE_SECONDS): number =>
  Math.min(longestSeconds, 2 ** Math.min(downs - 1, 30));

/**
 * The receivers that did not answer the last request of this process. They get one request at a
 * time until they answer, so that their time limits take no connections and no slots (S19).
 */
export class SilentReceivers {
  private readonly silent = new Set<string>();

  note(receiver: string, isSilent: boolean): void {
    if (isSilent) this.silent.add(receiver);
    else this.silent.delete(receiver);
  }

  /** The slots in use, with those that a silent receiver does not get counted as used. */
  withhold(inUse: ReadonlyMap<string, number>, slots: number): Map<string, number> {
    const counts = new Map(inUse);
    for (const receiver of this.silent)
      counts.set(receiver, (inUse.get(receiver) ?? 0) > 0 ? slots : slots - 1);
    return counts;
  }
}
