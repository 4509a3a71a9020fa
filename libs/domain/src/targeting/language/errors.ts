/** An expression that cannot be read (S31). `line` and `column` count from 1; the message says what was found and what is allowed. */
export class ExpressionSyntaxError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
    this.name = 'ExpressionSyntaxError';
  }
}
