/**
 * All times in milliseconds but where the name says otherwise. Without imports, bundlers write them
 * where they are used.
 */

/** How long an answer may take; then the request counts as lost. */
export const ANSWER_PATIENCE = 20_000;
/** Silence that ends a connection of which nothing is known yet. */
export const SOCKET_PATIENCE = 45_000;

/**
 * Pauses before the next try begin with one, double up to the other, and are cut by a random part
 * up to a half.
 */
export const FIRST_PAUSE = 500;
export const LONGEST_PAUSE = 30_000;
/** Longest that a service may ask for. */
export const LONGEST_ASKED_SECONDS = 300;

/** How often flows are read while no pushes come, and how long a push may take after a command. */
export const POLL = 30_000;
export const PUSH_PATIENCE = 2_000;
/** How often they are read while one of them waits for others. */
export const WAITING_SECONDS = 60;

export const MOST_COMMANDS = 200;
/**
 * A page that was away for longer has another user in front of it, or the same one with other
 * plans.
 */
export const LONGEST_KEPT = 24 * 60 * 60 * 1000;
/** How often the service may fail at a command. */
export const MOST_FAILURES = 5;
