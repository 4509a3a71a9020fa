import { CHANGING_TOOLS } from './changing-tools.js';
import { FLOW_TOOLS } from './flow-tools.js';
import type { Tool } from './tool.js';
import { USER_TOOLS } from './user-tools.js';

export * from './tool.js';

/** Every tool, allowed or not. */
export const TOOLS: readonly Tool[] = [...FLOW_TOOLS, ...USER_TOOLS, ...CHANGING_TOOLS];
