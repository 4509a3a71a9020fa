/** Thrown when the HTTP side of a request is refused, before anything of the domain was asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Of a body of more bytes than a server takes. */
export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal(413, `the body is larger than ${limit / 1024 ** 2} MiB (${limit} bytes), which is the most that is allowed`);
