import { DomainError } from '../errors/index.js';

/** The refusal of a user who was never identified in that environment (B3). */
export const unknownUser = (identifier: string): DomainError =>
  new DomainError('user.unknown', `user ${JSON.stringify(identifier)} was never identified in this environment`);
