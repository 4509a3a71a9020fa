import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorEnvelope } from '../errors/error-envelope.js';

/** The statuses that a route refuses with, each with the envelope (W2). */
export const ApiRefusals = (...statuses: number[]) =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status, type: ErrorEnvelope })));
