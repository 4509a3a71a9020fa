import { createHash } from 'node:crypto';
import type { Way } from '@waymark/domain/engine';

/** The way of a subject in a split, as the rule is written (K1). */
export function referenceWay(uid: string, subject: string, ways: readonly Way[]): string {
  const scored = ways
    .filter(({ share }) => share > 0)
    .map(({ name, share }) => {
      const text = [uid, subject, name].join('\0');
      const hash = createHash('sha256').update(text, 'utf8').digest();
      const n = Number(hash.readBigUInt64BE(0) >> 12n);
      const u = (n + 0.5) / 2 ** 52;
      return { name, score: -share / Math.log(u) };
    });
  const highest = Math.max(...scored.map(({ score }) => score));
  return scored.find(({ score }) => score === highest)!.name;
}
