import type { AddCommand } from '../command-line/run-command-line.js';
import { addAttentionCommand } from './attention.js';
import { addAuditCommand } from './audit.js';
import { addEffectsCommand, addFailuresCommand } from './effects.js';
import { addEndpointCommand } from './endpoint/index.js';
import { addEnvCommand } from './env.js';
import { addEventsCommand } from './events/index.js';
import { addFlowCommand } from './flow/index.js';
import { addGroupCommand } from './group.js';
import { addHistoriesCommand } from './histories/index.js';
import { addHistoryCommand } from './history.js';
import { addKeyCommand } from './key.js';
import { mcpCommand } from './mcp.js';
import { addMigrateCommand } from './migrate.js';
import { addResetCommand } from './reset.js';
import { addResetsCommand } from './resets.js';
import { addSegmentCommand } from './segment.js';
import { addSignerCommand } from './signer.js';
import { addStudioCommand } from './studio.js';
import { addTypesCommand } from './types.js';
import { addUpCommand } from './up.js';
import { addUserCommand } from './user.js';

const OPERATIONS: readonly AddCommand[] = [
  addUpCommand,
  addStudioCommand,
  addMigrateCommand,
  addEnvCommand,
  addKeyCommand,
  addSignerCommand,
  addFlowCommand,
  addAttentionCommand,
  addSegmentCommand,
  addTypesCommand,
  addUserCommand,
  addGroupCommand,
  addResetCommand,
  addResetsCommand,
  addHistoryCommand,
  addHistoriesCommand,
  addEffectsCommand,
  addEndpointCommand,
  addFailuresCommand,
  addEventsCommand,
  addAuditCommand,
];

/**
 * Every command, in the order of the help. `Command` (command-line/command.ts) says how to add one.
 */
export const COMMANDS: readonly AddCommand[] = [...OPERATIONS, mcpCommand(OPERATIONS)];
