import type { EntityManager } from 'typeorm';
import { invalidRequest } from '../../database/errors/index.js';
import { loadSegments } from '../../flows/shared-files/segment.js';
import {
  expandSegments,
  type Expression,
  ExpressionSyntaxError,
  parseExpression,
} from '../../targeting/index.js';

/**
 * The condition that an operator wrote. Throws `request.invalid` with the place where it cannot be
 * read.
 */
export const readCondition = (source: string): Expression =>
  orRefuse(() => parseExpression(source));

/**
 * The text of a condition with segments replaced by their present texts (Z6), so that what is kept
 * of it means the same ever after. Throws as `readCondition` does.
 */
export async function expandCondition(manager: EntityManager, source: string): Promise<string> {
  if (!source.includes('segment')) return source;
  const segments = await loadSegments(manager);
  return orRefuse(() => expandSegments(source, segments));
}

function orRefuse<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw invalidRequest(
      `the condition cannot be read at ${error.line}:${error.column}: ${error.message}`,
      { cause: error },
    );
  }
}
