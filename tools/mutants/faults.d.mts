/** A fault that a test has to catch. */
export interface Fault {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly put: string;
  readonly tests: readonly string[];
  readonly only?: string;
  readonly build?: readonly string[];
}

export const FAULTS: readonly Fault[];
