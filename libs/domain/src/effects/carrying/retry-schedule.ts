const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds before each further attempt: growing, 24 hours in all (S19). */
const PAUSES = [5, 25, 90, 5 * MINUTE, 15 * MINUTE, 38 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR, 7 * HOUR];

/** Seconds to wait after that many attempts; undefined when it was the last (S19). */
export const retryPause = (attempts: number): number | undefined => PAUSES[attempts - 1];
