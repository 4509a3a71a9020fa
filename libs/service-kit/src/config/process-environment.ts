import type { Environment } from './parse-settings.js';

/** The environment of this process: the one place that services read it from. */
export const processEnvironment = (): Environment => process.env;
