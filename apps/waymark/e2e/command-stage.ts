import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Stage } from '@waymark/testing/stage';
import { type Ended, type RunOptions, runWaymark } from './run-waymark.js';

/** A database and a folder of a test's own, and the command on both. */
export class CommandStage {
  private constructor(
    readonly stage: Stage,
    readonly folder: string,
  ) {}

  static async open(): Promise<CommandStage> {
    return new CommandStage(await Stage.open(), await mkdtemp(path.join(tmpdir(), 'waymark-command-')));
  }

  async close(): Promise<void> {
    await this.stage.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Where the command is run. */
  get environment(): RunOptions {
    return { env: { DATABASE_URL: this.stage.testDatabase.url }, cwd: this.folder };
  }

  /** Runs the built command to its end. */
  run(...args: string[]): Promise<Ended> {
    return runWaymark(args, this.environment);
  }

  /** A file in the folder; returns its name. */
  async write(name: string, text: string): Promise<string> {
    await writeFile(path.join(this.folder, name), text);
    return name;
  }
}
