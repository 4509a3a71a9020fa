import type { Variables } from './read-settings.js';

/** The environment of this process: the one place that services read it from. */
export const processEnvironment = (): Variables => process.env;
