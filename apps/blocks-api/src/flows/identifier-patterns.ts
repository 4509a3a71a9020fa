import { IDENTIFIER_PATTERN } from '@waymark/domain/engine';

/** What names a block: its uid, or `<flow>.<block>` (B2). */
export const BLOCK_REFERENCE = `[A-Za-z0-9_-]{1,64}|${IDENTIFIER_PATTERN}\\.${IDENTIFIER_PATTERN}`;
export const LONGEST_IDENTIFIER = 128;
export const LONGEST_BLOCK_REFERENCE = 2 * LONGEST_IDENTIFIER + 1;
