import { createInterface } from 'node:readline/promises';
import type { DataSource } from 'typeorm';
import type { Settings } from '../config/settings.js';
import { toJson } from './raw-json.js';
import { Refusal } from './refusal.js';

/** The options that every command takes. */
export interface GlobalOptions {
  json?: boolean;
  yes?: boolean;
  env: string;
}

/** What one run of a command has at hand: output, questions, settings and the database. */
export class Session {
  private dataSource: DataSource | undefined;

  constructor(
    readonly settings: Settings,
    private readonly options: GlobalOptions,
  ) {}

  /** Name of the environment the command is about. */
  get environment(): string {
    return this.options.env;
  }

  get isJson(): boolean {
    return this.options.json === true;
  }

  /** Progress and remarks, to stderr: never part of the result. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** The result, once: the document with `--json`, else the text for people. */
  print(document: object, text: string): void {
    process.stdout.write(`${this.isJson ? toJson(document) : text}\n`);
  }

  /** Asks before what cannot be undone. Without `--yes` and a terminal there is nobody to ask, which is wrong usage. */
  async confirm(question: string): Promise<void> {
    if (this.options.yes) return;
    if (!process.stdin.isTTY) throw new Refusal(`${question} Say --yes to do it without being asked`, { status: 'usage' });
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await terminal.question(`${question} [y/N] `);
      if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('nothing was changed');
    } finally {
      terminal.close();
    }
  }

  /**
   * The database, connected, its schema current unless `anySchema`; the same one for the whole run. Throws a `Refusal`
   * that says what to do.
   */
  async openDatabase(options: { anySchema?: boolean; poolSize?: number } = {}): Promise<DataSource> {
    const { openDatabase } = await import('./open-database.js');
    return (this.dataSource ??= await openDatabase(this.settings, options));
  }

  async close(): Promise<void> {
    if (this.dataSource?.isInitialized) await this.dataSource.destroy();
  }
}
