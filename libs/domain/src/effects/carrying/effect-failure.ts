import { SendFailure } from '../../sending/index.js';

/** Why an effect was not carried out: a code for logs and a sentence for the operator, which may name the user. */
export class EffectFailure extends SendFailure {}

/** An effect that no repeat will ever carry out. */
export class HopelessEffect extends EffectFailure {}

/** What logs may say of an error. */
export function failureCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
