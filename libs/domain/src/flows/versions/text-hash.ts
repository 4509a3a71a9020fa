import { createHash } from 'node:crypto';

/** Names a text: its SHA-256, in hexadecimal (T6). */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');
