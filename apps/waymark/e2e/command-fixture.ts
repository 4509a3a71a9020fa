import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Fixture } from '@waymark/testing/fixture';
import type { Ended, RunOptions } from './run-waymark.js';
import { WarmCommand } from './warm-command.js';

/** A database and a folder of a test's own, and the command on both. */
export class CommandFixture {
  private readonly command = new WarmCommand();

  private constructor(
    readonly fixture: Fixture,
    readonly folder: string,
  ) {}

  static async open(): Promise<CommandFixture> {
    return new CommandFixture(
      await Fixture.open(),
      await mkdtemp(path.join(tmpdir(), 'waymark-command-')),
    );
  }

  async close(): Promise<void> {
    this.command.close();
    await this.fixture.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Where the command is run. */
  get environment(): RunOptions {
    return { env: { DATABASE_URL: this.fixture.testDatabase.url }, cwd: this.folder };
  }

  /** Runs one line of the built command to its end. */
  run(...args: string[]): Promise<Ended> {
    return this.command.run(args, this.environment);
  }

  /** The same without a database, unless other variables name one. */
  runWithout(args: readonly string[], env: RunOptions['env'] = {}): Promise<Ended> {
    return this.command.run(args, { env, cwd: this.folder });
  }

  /** A file in the folder; returns its name. */
  async write(name: string, text: string): Promise<string> {
    await writeFile(path.join(this.folder, name), text);
    return name;
  }
}
