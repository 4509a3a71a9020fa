import { FRAMING } from './framing-attacks.js';
import { REQUESTS } from './request-attacks.js';
import { SOCKETS } from './socket-attacks.js';

/** Every attack on a replica, by its name (R13). */
export const ATTACKS = { ...FRAMING, ...REQUESTS, ...SOCKETS };

export type AttackName = keyof typeof ATTACKS;

/** A proxy takes these. */
export const FRAMING_ATTACKS: ReadonlySet<AttackName> = new Set(
  Object.keys(FRAMING) as AttackName[],
);
