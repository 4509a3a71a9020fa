import type { PictureResult } from '../../src/reader/picture-result.js';

/** The last picture that was sent: while it stays the same, only its mark is. */
export class CachedPicture {
  private last: Partial<PictureResult> = {};

  /** What to ask with. */
  get had(): { had?: string } {
    const { mark } = this.last;
    return mark === undefined ? {} : { had: mark };
  }

  /** The answer with its picture. */
  complete<Answer extends Partial<PictureResult>>(answer: Answer): Answer {
    if (answer.svg !== undefined) this.last = { mark: answer.mark!, svg: answer.svg };
    return answer.mark !== undefined && answer.mark === this.last.mark
      ? { ...answer, svg: this.last.svg! }
      : answer;
  }
}
