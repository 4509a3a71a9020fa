export type { Problem } from './problem.js';
