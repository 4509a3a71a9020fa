/** The form of the identifiers of flows and blocks, as `check/identifiers.ts` of the engine has them (W7). */
export const IDENTIFIER = '[A-Za-z0-9][A-Za-z0-9_-]{0,127}';
/** What names a block: its uid, or `<flow>.<block>` (B2). */
export const BLOCK_REFERENCE = `[A-Za-z0-9_-]{1,64}|${IDENTIFIER}\\.${IDENTIFIER}`;
export const LONGEST_IDENTIFIER = 128;
export const LONGEST_BLOCK_REFERENCE = 2 * LONGEST_IDENTIFIER + 1;
