export { ReferenceState } from './reference-state.js';
export { referenceLook } from './reference-done.js';
export type { ReferenceOutcome } from './reference-outcome.js';
export { referenceStep } from './reference-step.js';
export {
  referenceEdit,
  referenceEnd,
  referenceMigration,
  referenceRestore,
} from './reference-versions.js';
export { referenceWay } from './reference-way.js';
