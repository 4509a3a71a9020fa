import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';
import { CODE_OF_STATUS, type EnvelopeCode } from './error-table.js';

/** The envelope as the docs describe it. */
export class ErrorEnvelope {
  @ApiProperty({ enum: [...new Set(Object.values(CODE_OF_STATUS))] })
  code: EnvelopeCode;

  @ApiProperty({ description: 'What was wrong, where, and what is allowed' })
  details: string;

  @ApiProperty({ description: 'The same as the x-request-id header of the answer' })
  requestId: string;
}

/** The statuses that a route refuses with, each with the envelope (W2). */
export const ApiRefusals = (...statuses: number[]) =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status, type: ErrorEnvelope })));
