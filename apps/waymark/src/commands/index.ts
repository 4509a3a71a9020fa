import type { AddCommand } from '../command-line/run-command-line.js';
import { addAudit } from './audit.js';
import { addEffects } from './effects.js';
import { addEndpoint } from './endpoint/index.js';
import { addEnv } from './env.js';
import { addEvents } from './events/index.js';
import { addFlow } from './flow/index.js';
import { addGroup } from './group.js';
import { addHistory } from './history.js';
import { addKey } from './key.js';
import { addMigrate } from './migrate.js';
import { addReset } from './reset.js';
import { addResets } from './resets.js';
import { addSigner } from './signer.js';
import { addStudio } from './studio.js';
import { addTypes } from './types.js';
import { addUp } from './up.js';
import { addUser } from './user.js';

/** Every command, in the order of the help. `operation` (command-line/operation.ts) tells how to add one. */
export const COMMANDS: readonly AddCommand[] = [
  addUp,
  addStudio,
  addMigrate,
  addEnv,
  addKey,
  addSigner,
  addFlow,
  addTypes,
  addUser,
  addGroup,
  addReset,
  addResets,
  addHistory,
  addEffects,
  addEndpoint,
  addEvents,
  addAudit,
];
