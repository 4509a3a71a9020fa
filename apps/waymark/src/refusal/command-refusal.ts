/** How the command ends: what scripts and CI look at. */
export const EXIT_STATUS = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;
export type Ending = keyof typeof EXIT_STATUS;

/** Ends the command with one sentence for people, without a stack. */
export class CommandRefusal extends Error {
  override readonly name = 'CommandRefusal';
  readonly status: Exclude<Ending, 'done'>;
  /** What `--json` prints instead of the message, such as `{ problems }`. */
  readonly document: object | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { status?: Exclude<Ending, 'done'>; document?: object } = {},
  ) {
    super(message, options);
    this.status = options.status ?? 'refused';
    this.document = options.document;
  }
}

/** A question before a change was not answered with yes, or could not be asked. */
export class Declined extends CommandRefusal {}
