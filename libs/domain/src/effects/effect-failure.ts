/** Why an effect was not carried out: a code for logs and a sentence for the operator, which may name the user. */
export class EffectFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An effect that no repeat will ever carry out. */
export class HopelessEffect extends EffectFailure {}

/** What logs may say of an error. */
export function failureCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
