/** Why a request to the outside came to nothing: a code for logs and a sentence for the operator. */
export class SendFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
