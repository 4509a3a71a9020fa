import { card, defineFlow } from '../builders/index.js';

/** What some attacks ask for: as large as flows get. */
export const LARGE_FLOW = defineFlow({
  flow: 'large',
  blocks: Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`large-${number}`, card()])),
});
