import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DomainError } from '@waymark/domain/database/errors';
import type { Answer } from '@waymark/domain/engine';

/** Bytes of an answer at most, as JSON (Z3). */
const MAX_ANSWER = 4_096;

/** The body of a transition, of which everything else is ignored (W4). */
@ApiSchema({ name: 'Transition' })
export class TransitionBody {
  @ApiProperty({
    type: Object,
    additionalProperties: true,
    required: false,
    description: `What the user answered, kept in the event of the transition; at most ${MAX_ANSWER} bytes of JSON, and ignored where it is no object`,
    example: { score: 9, reason: 'quick' },
  })
  readonly data?: Answer;

  /** Of any JSON object, or of nothing. Throws `answer.too-large`. */
  constructor(body: { readonly data?: unknown } = {}) {
    const { data } = body;
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return;
    const size = Buffer.byteLength(JSON.stringify(data));
    if (size > MAX_ANSWER)
      throw new DomainError(
        'answer.too-large',
        `data takes ${size} bytes of JSON, at most ${MAX_ANSWER} are kept with a transition; nothing was changed`,
      );
    this.data = data as Answer;
  }
}
