import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The secret in the address that the studio prints when it starts; valid until the process ends
 * (T2).
 */
export class AccessToken {
  private readonly digest: Buffer;

  constructor(readonly text = randomBytes(32).toString('base64url')) {
    this.digest = digestOf(text);
  }

  /** Compared in constant time. */
  isRight(given: string): boolean {
    return timingSafeEqual(digestOf(given), this.digest);
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
