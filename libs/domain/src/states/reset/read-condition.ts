import { invalidRequest } from '../../database/errors/index.js';
import { type Expression, ExpressionSyntaxError, parseExpression } from '../../targeting/index.js';

/** The condition that an operator wrote. Throws `request.invalid` with the place where it cannot be read. */
export function readCondition(source: string): Expression {
  try {
    return parseExpression(source);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw invalidRequest(
      `the condition cannot be read at ${error.line}:${error.column}: ${error.message}`,
      { cause: error },
    );
  }
}
