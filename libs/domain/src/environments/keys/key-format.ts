import { hash, randomBytes } from 'node:crypto';
import type { KeyKind } from './api-key.js';

/** A fresh key: its kind as prefix, then 32 random bytes (W1). */
export const generateKey = (kind: KeyKind): string => `${kind}-${randomBytes(32).toString('base64url')}`;

/** What is stored and compared of a key: SHA-256, which for 32 random bytes needs neither salt nor stretching. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/** The same in base64, which every request looks up: in one call, as a hash object each would cost four times as much. */
export const hashKeyText = (key: string): string => hash('sha256', key, 'base64');

/** Whether the text could be a key of that kind at all. */
export const looksLikeKey = (text: string, kind: KeyKind): boolean => text.startsWith(`${kind}-`) && text.length <= 256;
