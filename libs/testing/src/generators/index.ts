export { commandPlans, planned, type CommandPlan } from './commands.js';
export { conditions, contexts } from './contexts.js';
export { editedFlows, flowDefinitions } from './flows.js';
export { editedPlays, plays, type Turn } from './plays.js';
export { expressionContexts, expressions } from './expressions.js';
