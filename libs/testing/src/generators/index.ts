export { commandPlans, planned, type CommandPlan } from './commands.js';
export { editedFlows, flowDefinitions } from './flows.js';
export { editedPlays, plays, type Turn } from './plays.js';
export { conditions, scopes } from './scopes.js';
