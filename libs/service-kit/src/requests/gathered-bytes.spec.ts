import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { GatheredBytes } from './gathered-bytes.js';

const gather = (pieces: readonly Uint8Array[]): GatheredBytes => {
  const gathered = new GatheredBytes();
  for (const piece of pieces) gathered.add(Buffer.from(piece));
  return gathered;
};

test('a body is what its pieces are, one after the other', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1 })), (pieces) => {
      const { bytes, length, pieces: count } = gather(pieces);
      expect([bytes, length, count]).toEqual([Buffer.concat(pieces), bytes.length, pieces.length]);
    }),
  );
});

test('a body that comes byte by byte takes little more than its bytes (R13)', () => {
  const gathered = gather(Array<Uint8Array>(100_000).fill(Uint8Array.of(32)));
  expect(gathered.bytes.buffer.byteLength).toBeLessThanOrEqual(2 * gathered.length);
});
