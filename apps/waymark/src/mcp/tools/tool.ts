import type { z } from 'zod';
import type { Session } from '../../command-line/session.js';

/** What `waymark mcp` may do beside reading, each only where it was started with `--allow` (M2). */
export const PERMISSIONS = ['properties', 'draft', 'commit', 'reset'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Stands among the operands of a line for the file that the text of the line is in. */
export const TEXT = Symbol('the file with the text');

/** A line of the command, to be run as if it were typed. */
export interface Line {
  /** Such as `flow show`. */
  readonly command: string;
  readonly operands?: readonly (string | typeof TEXT)[];
  /**
   * By their long names; one that is undefined or false is not given, a list is given as often as
   * it is long.
   */
  readonly options?: Readonly<
    Record<string, string | number | boolean | readonly string[] | undefined>
  >;
  /** The text of a flow file. */
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
  /** Of a line that only reads: whose changes it requests. */
  readonly by?: string | undefined;
  /** True where nothing is to be asked, else the questions that are answered with yes. */
  readonly confirmed?: true | readonly string[];
}

/** The result of a line: what the command prints with `--json`. */
export type Document = Readonly<Record<string, unknown>>;
/** A line, or what is done in a session where the command would print without end. */
export type Work = Line | ((session: Session) => Promise<Document>);
/** Runs it; throws what the command would be refused with. */
type Run = (work: Work) => Promise<Document>;

export type Input = Readonly<Record<string, unknown>>;
type Shape = z.ZodRawShape;

/** A use case of the command as agents call it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Left out where it only reads. */
  readonly permission?: Permission;
  readonly shape: Shape;
  work(input: Input, allowed: ReadonlySet<Permission>): Work;
  /** Throws where the work must not be done, after it has looked by `run`. */
  check?(input: Input, run: Run): Promise<void>;
  /** The member of the document that is a list, of which a page is answered. */
  readonly list?: string;
  /** The document without the values of properties. */
  withoutProperties?(document: Document): Document;
}

/** A tool, its input typed by its shape. */
export function tool<Of extends Shape>(
  about: Omit<Tool, 'shape' | 'work' | 'check'> & {
    shape: Of;
    work(input: z.output<z.ZodObject<Of>>, allowed: ReadonlySet<Permission>): Work;
    check?(input: z.output<z.ZodObject<Of>>, run: Run): Promise<void>;
  },
): Tool {
  // The server has checked the input by the shape.
  return about as unknown as Tool;
}
