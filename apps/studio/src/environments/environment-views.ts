import type { Environment } from '@waymark/domain/access';

/** An environment, and what user tokens do in it. */
export type EnvironmentLine = Pick<Environment, 'name' | 'verification'>;
