/**
 * The bytes of a body, put together as they arrive: a piece that is kept by itself takes a hundred bytes besides, which is
 * much where somebody sends a megabyte byte by byte (R13).
 */
export class GatheredBytes {
  private room: Buffer = Buffer.alloc(0);
  private used = 0;
  private count = 0;

  get length(): number {
    return this.used;
  }

  /** In how many pieces they came. */
  get pieces(): number {
    return this.count;
  }

  /** All of them, in one piece. */
  get bytes(): Buffer {
    return this.room.subarray(0, this.used);
  }

  add(piece: Buffer): void {
    this.count++;
    const length = this.used + piece.length;
    // Most bodies are one piece, which need not be copied.
    if (this.used === 0) this.room = piece;
    else this.copy(piece, length);
    this.used = length;
  }

  /** Into room that doubles whenever it is full, so that each byte is copied about twice. */
  private copy(piece: Buffer, length: number): void {
    if (length > this.room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.room.length));
      this.bytes.copy(larger);
      this.room = larger;
    }
    piece.copy(this.room, this.used);
  }
}
