import type { FileDifference, SharedFile } from '@waymark/domain/flows';
import type { EntityManager } from 'typeorm';
import type { Command } from '../command-line/command.js';
import type { Session } from '../command-line/session.js';
import { readSharedFile } from './flow/files/read-shared-file.js';

interface SharedFileCommand<Content, Difference extends FileDifference> {
  readonly name: string;
  readonly description: string;
  /** What the file has in it, as help and answers call it. */
  readonly what: string;
  readonly showDescription: string;
  readonly diffDescription: string;
  /** Imported only when a command runs. */
  load(): Promise<SharedFile<Content, Difference>>;
  /** The document and the text of `show`. */
  show(content: Content, flows: ReadonlyMap<string, readonly string[]>): Promise<[object, string]>;
  /** Lines beside those on names. */
  describe?(difference: Difference): string[];
  confirm?(session: Session, manager: EntityManager, content: Content): Promise<void>;
  /** Warnings do not stop the file from being applied. */
  findWarnings?(manager: EntityManager, content: Content): Promise<string[]>;
}

/** Adds a command that applies, shows, compares and exports a file that all environments share. */
export function addSharedFileCommand<Content, Difference extends FileDifference>(
  program: Command,
  about: SharedFileCommand<Content, Difference>,
): void {
  const command = program.command(about.name).description(about.description);
  addApply(command, about);
  addShow(command, about);
  addDiff(command, about);
  addExport(command, about);
}

function addApply<Content, Difference extends FileDifference>(
  command: Command,
  about: SharedFileCommand<Content, Difference>,
): void {
  const { name, what } = about;
  command
    .command('apply <file>')
    .description(`replace the ${what} of all environments by those of the file`)
    .option(
      '--if-match <hash>',
      `only if the ${what} are still those with this hash, as \`${name} show --json\` tells it`,
    )
    .recorded(`${name}.apply`, async (session, path: string, options: { ifMatch?: string }) => {
      const { applySharedFile } = await import('@waymark/domain/flows');
      const file = await about.load();
      const content = await readSharedFile(session, file, path);
      const dataSource = await session.openOperatorDatabase();
      await about.confirm?.(session, dataSource.manager, content);
      for (const warning of (await about.findWarnings?.(dataSource.manager, content)) ?? [])
        session.note(`${path}: warning: ${warning}`);
      const done = await applySharedFile(dataSource, file, content, session.author, options);
      session.print(
        done,
        describeDifference(about, done) || `the ${what} are already those of the file`,
      );
    });
}

function addShow<Content, Difference extends FileDifference>(
  command: Command,
  about: SharedFileCommand<Content, Difference>,
): void {
  command
    .command('show')
    .description(about.showDescription)
    .operation(async (session) => {
      const { hashSharedFile } = await import('@waymark/domain/flows');
      const file = await about.load();
      const { manager } = await session.openOperatorDatabase();
      const content = await file.load(manager);
      const [document, text] = await about.show(content, await file.listFlows(manager));
      session.print({ hash: hashSharedFile(file, content), ...document }, text);
    });
}

function addDiff<Content, Difference extends FileDifference>(
  command: Command,
  about: SharedFileCommand<Content, Difference>,
): void {
  command
    .command('diff <file>')
    .description(about.diffDescription)
    .operation(async (session, path: string) => {
      const file = await about.load();
      const content = await readSharedFile(session, file, path);
      const { manager } = await session.openOperatorDatabase();
      const difference = await file.diff(manager, await file.load(manager), content);
      session.print(difference, describeDifference(about, difference) || 'no differences');
    });
}

function addExport<Content, Difference extends FileDifference>(
  command: Command,
  about: SharedFileCommand<Content, Difference>,
): void {
  command
    .command('export')
    .description(`the ${about.what} as a file that can be applied`)
    .operation(async (session) => {
      const { hashSharedFile } = await import('@waymark/domain/flows');
      const file = await about.load();
      const { manager } = await session.openOperatorDatabase();
      const content = await file.load(manager);
      const text = file.format(content);
      session.printFile({ text, hash: hashSharedFile(file, content) }, text.trimEnd());
    });
}

const describeDifference = <Content, Difference extends FileDifference>(
  about: SharedFileCommand<Content, Difference>,
  difference: Difference,
): string => [...describeNames(difference), ...(about.describe?.(difference) ?? [])].join('\n');

const describeNames = (difference: FileDifference): string[] =>
  (['added', 'changed', 'removed'] as const)
    .filter((change) => difference[change].length > 0)
    .map((change) => `${change}: ${difference[change].join(', ')}`);
