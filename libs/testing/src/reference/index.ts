export { ReferenceState } from './reference-state.js';
export { referenceStep, type ReferenceOutcome } from './reference-step.js';
export {
  referenceEdit,
  referenceEnd,
  referenceMigration,
  referenceRestore,
} from './reference-versions.js';
