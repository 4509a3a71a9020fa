import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Author } from '@waymark/domain/database/audit';
import type { DataSource } from 'typeorm';
import type { Settings } from '../config/settings.js';
import { findAuthor } from './author.js';
import { plainText } from '../output/plain-text.js';
import { type Cell, table } from '../output/table.js';
import { toJson } from '../output/print-json.js';
import { Declined } from '../refusal/command-refusal.js';

/** The options that every command takes. */
export interface GlobalOptions {
  json?: boolean;
  yes?: boolean;
  env?: string;
  by?: string;
  reason?: string;
  /** Not from the command line: the program that runs the command for a person (M2). */
  client?: string;
}

/** What a command was about to change, in the words of the audit log. */
export interface TriedChange {
  readonly action: string;
  /** The identifier of the user that it is about. */
  readonly user?: string | undefined;
}

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** What one run of a command has at hand: output, questions, settings and the database. */
export class Session {
  private opening: Promise<DataSource> | undefined;
  private environmentId: string | undefined;
  private read: Settings | undefined;
  private stop: AbortController | undefined;
  private writes: Author | undefined;

  constructor(
    protected readonly options: GlobalOptions,
    private readonly readCommandSettings: () => Settings,
  ) {}

  /** Read at their first use: what needs none of them is not refused for a bad one. */
  get settings(): Settings {
    return (this.read ??= this.readCommandSettings());
  }

  /** Name of the environment the command is about: that of `--env`, else of WAYMARK_ENV. */
  get environment(): string {
    return this.options.env ?? this.settings.environment;
  }

  /**
   * Who changes something, and why; the same object for the whole run, by which the audit log knows
   * it again.
   */
  get author(): Author {
    return (this.writes ??= findAuthor(this.options, this.settings));
  }

  /** The value of `--by`, also where it is a filter rather than the author. */
  get by(): string | undefined {
    return this.options.by;
  }

  get isJson(): boolean {
    return this.options.json === true;
  }

  /** Progress and remarks, to stderr: never part of the result. */
  note(text: string): void {
    process.stderr.write(`${plainText(text)}\n`);
  }

  /** The result, once: the document with `--json`, else the text for people. */
  print(document: object, text: string): void {
    this.printFile(document, plainText(text));
  }

  /**
   * A result of the environment, which names it in the document, and in the text where that is
   * empty or destroys something: what is empty in one environment need not be in another.
   */
  printOf(document: object, text: string): void {
    this.print({ environment: this.environment, ...document }, text);
  }

  /**
   * Rows of the environment as `table` has them; where there are none the sentence ends in its
   * name.
   */
  table<Row extends { [Heading in keyof Row]: Cell }>(rows: readonly Row[], none: string): string {
    return table(rows, `${none} in ${this.environment}`);
  }

  /**
   * A result that is a file: without `--json` exactly its text, which may go into one; on a
   * terminal nothing in it acts.
   */
  printFile(document: object, text: string): void {
    const file = process.stdout.isTTY ? plainText(text) : text;
    process.stdout.write(`${this.isJson ? toJson(document) : file}\n`);
  }

  /**
   * Asks before what cannot be undone; a question that takes work is prepared only if it is needed.
   * Without `--yes` and a terminal there is nobody to ask, which is wrong usage.
   */
  async confirm(what: string | (() => Promise<string>)): Promise<void> {
    if (this.options.yes) return;
    const question = typeof what === 'string' ? what : await what();
    if (!process.stdin.isTTY)
      throw new Declined(`${question} Say --yes to do it without being asked`, { status: 'usage' });
    if (!(await ask(plainText(question)))) throw new Declined('nothing was changed');
  }

  /**
   * The database, connected, its schema current unless `anySchema`; the same one for the whole run.
   * Throws a `CommandRefusal` that says what to do.
   */
  async openOperatorDatabase(
    options: { anySchema?: boolean; poolSize?: number } = {},
  ): Promise<DataSource> {
    const { openOperatorDatabase } = await import('./open-database.js');
    return (this.opening ??= openOperatorDatabase(this.settings, options));
  }

  /**
   * The database, and which of its environments this run is about. Throws `environment.unknown`.
   */
  async openEnvironment(
    options: { poolSize?: number } = {},
  ): Promise<{ dataSource: DataSource; environmentId: string }> {
    const dataSource = await this.openOperatorDatabase(options);
    const { getEnvironment } = await import('@waymark/domain/access');
    const { id: environmentId } = await getEnvironment(dataSource, this.environment);
    this.environmentId = environmentId;
    return { dataSource, environmentId };
  }

  /**
   * A row in the audit log for a change that was refused, unless it left one itself (I7). Throws
   * only for a lost database.
   */
  async recordRefusal({ action, user }: TriedChange, error: unknown): Promise<void> {
    const { recordRefusal } = await import('@waymark/domain/database/audit');
    const { userId } = await import('@waymark/domain/users');
    const dataSource = await this.openOperatorDatabase();
    const { environmentId } = this;
    const of = environmentId !== undefined && {
      environmentId,
      ...(user !== undefined && { userId: userId(environmentId, user) }),
    };
    await recordRefusal(dataSource, { action, ...of }, this.author, error);
  }

  /**
   * Aborted by the first Ctrl-C or SIGTERM, for work that can end between two pages; the second
   * ends the process.
   */
  get signal(): AbortSignal {
    if (!this.stop) {
      const stop = (this.stop = new AbortController());
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
    }
    return this.stop.signal;
  }

  async close(): Promise<void> {
    const dataSource = await this.opening?.catch(() => undefined);
    if (dataSource?.isInitialized) await dataSource.destroy();
  }
}

/** Whether the answer is yes. Ctrl-C and Ctrl-D are a no, as is everything but `y` and `yes`. */
export async function ask(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  const given = terminal.question(`${question} [y/N] `);
  // At Ctrl-C readline rejects, at Ctrl-D it only closes.
  const answer = await Promise.race([
    given.catch(() => undefined),
    once(terminal, 'close').then(() => undefined),
  ]);
  terminal.close();
  if (answer === undefined) output.write('\n');
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
