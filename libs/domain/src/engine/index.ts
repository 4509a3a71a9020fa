export type { Context } from '../targeting/index.js';
export { compile } from './definition/compile.js';
export * from './definition/compiled-flow.js';
export * from './definition/definition.js';
export * from './definition/durations.js';
export { dateWithZone, describeDates } from './definition/describe-dates.js';
export * from './definition/effect.js';
export * from './definition/engine-error.js';
export {
  insertedProperties,
  insertedValues,
  type InsertedValues,
  insertionKey,
  insertionsIn,
} from './definition/insertions.js';
export { checkNames, hasOnePath, isLogic, transitionNames } from './definition/names.js';
export { identifiersOf, partsOf, spokenNamesOf, titleOf } from './definition/parts.js';
export { fillBody, fillTokens, type TokenValues } from './definition/webhook-tokens.js';
export * from './state/command.js';
export * from './state/event.js';
export { fold } from './state/fold.js';
export * from './state/migration-strategy.js';
export * from './state/inspect-state.js';
export * from './state/state.js';
export * from './check/index.js';
export * from './attention/attention-change.js';
export * from './attention/find-wait.js';
export { adaptToEdit } from './step/version/adapt.js';
export { migrate } from './step/version/migrate.js';
export { restore } from './step/version/restore.js';
export { mayStart } from './step/command/start.js';
export { needsContext, startOnRead, step } from './step/command/step.js';
export { takeDone, waitingForDone } from './step/command/take-done.js';
export { chooseWay } from './step/walk/choose-way.js';
export { hasEnded, type Step } from './step/walk/step-recorder.js';
export { stopAtEnd } from './step/walk/stop.js';
export {
  languageChooser,
  translationOf,
  parseLanguageRanges,
  truncationsOf,
} from './language/choose-language.js';
