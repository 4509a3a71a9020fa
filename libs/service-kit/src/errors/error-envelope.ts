import { ApiProperty } from '@nestjs/swagger';
import { ENVELOPE_CODES, type EnvelopeCode } from './error-table.js';

/** The envelope as the docs describe it. */
export class ErrorEnvelope {
  @ApiProperty({ enum: ENVELOPE_CODES })
  code: EnvelopeCode;

  @ApiProperty({ description: 'What was wrong, where, and what is allowed' })
  details: string;

  @ApiProperty({ description: 'The same as the x-request-id header of the answer' })
  requestId: string;
}
