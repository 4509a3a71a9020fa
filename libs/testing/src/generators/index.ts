export { commandPlans, planned, type CommandPlan } from './commands.js';
export { conditions, contexts } from './contexts.js';
export {
  editedFlows,
  flowDefinitions,
  editedPlays,
  later,
  plays,
  type Turn,
  withDates,
} from './flows.js';
export { expressionContexts, expressions } from './expressions.js';
