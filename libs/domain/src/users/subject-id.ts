import { v5 } from 'uuid';

/**
 * The key of a user: UUIDv5 of environment and identifier, computed in the process, so that no request looks an
 * identifier up. It is also the one distribution key of every table a request touches.
 */
export const userId = (environmentId: string, identifier: string): string => v5(identifier, environmentId);

/** The key of a group. Groups and users have tables of their own, so equal identifiers never meet. */
export const groupId = userId;
