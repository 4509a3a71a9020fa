import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { FlowDraft } from '@waymark/domain/engine';
import type { ImportedTexts, TranslationFile } from '@waymark/domain/flow-files';
import type { Command } from '../../command-line/command.js';
import type { Session } from '../../command-line/session.js';
import { writingFailure, writeOutput } from '../../output/write-output.js';
import { inDigits } from '../../output/numbers.js';
import { toJson } from '../../output/print-json.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';
import { problemLines, readFlowFiles, refuseProblems, readText } from './files/read-flow-files.js';

interface ExportArguments {
  language: string;
  missing?: boolean;
  output?: string;
}

interface ImportArguments {
  into?: string;
  skipChanged?: boolean;
}

/** A flow file, and where it is kept. */
interface Source {
  readonly text: string;
  readonly draft: FlowDraft;
  /** As problems call it. */
  readonly file: string;
}

export function addTextsCommand(flow: Command): void {
  const texts = flow.command('texts').description('texts of a flow for translators, and back');
  texts
    .command('export <flow>')
    .description('the texts of a draft or a flow file with their translations, as JSON')
    .requiredOption('--language <tag>', 'the language to translate to, such as de', parseLanguage)
    .option('--missing', 'only what is not translated yet')
    .option('-o, --output <file>', 'write there instead of printing')
    .operation(async (session, name: string, { language, missing, output }: ExportArguments) => {
      const { exportTexts } = await import('@waymark/domain/flow-files');
      const { draft } = isFile(name) ? await readFile(session, name) : await load(session, name);
      refuseOwn(draft, language);
      const file = exportTexts(draft, language, { onlyMissing: missing === true });
      if (output === undefined) return session.printFile(file, toJson(file));
      await writeOutput(output, `${JSON.stringify(file, null, 2)}\n`);
      const count = Object.keys(file.texts).length;
      session.print(
        { flow: file.flow, language, output, texts: count },
        `${inDigits(count)} text(s) of ${file.flow} for ${language} written to ${output}`,
      );
    });
  texts
    .command('import <file>')
    .description('put translations into the draft, and leave every other line as it is')
    .option('--into <flow file>', 'put them into that file, and not into the draft')
    .option('--skip-changed', 'leave texts out whose original has changed since')
    .recorded(
      (_file: string, { into }: ImportArguments) =>
        into === undefined ? { action: 'flow.apply' } : null,
      async (session, name: string, options: ImportArguments) => {
        const wanted = await readTranslations(name);
        const { into } = options;
        if (into === undefined) return importIntoDraft(session, wanted, options);
        const source = await readFile(session, into);
        const imported = await importInto(session, source, wanted, options);
        await writeFile(into, imported.text).catch((cause: unknown) => {
          throw new CommandRefusal(`${into} cannot be written: ${writingFailure(cause)}`, {
            cause,
          });
        });
        printImported(session, wanted, imported);
      },
    );
}

/** No identifier of a flow has a dot or a slash. */
const isFile = (name: string): boolean => /[./\\]/.test(name);

const NO_TAG = 'a tag of BCP 47, such as de, pt-BR or zh-Hant';

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function parseLanguage(text: string): string {
  const tag = canonical(text);
  if (tag !== undefined) return tag;
  throw new InvalidArgumentError(`Write ${NO_TAG}.`);
}

async function readFile(session: Session, file: string): Promise<Source> {
  const [read] = await readFlowFiles([file]);
  await refuseProblems(session, [read!], ', nothing was written');
  return { file, text: read!.text, draft: read!.draft! };
}

async function load(session: Session, flow: string): Promise<Source> {
  const { parseFlowFile } = await import('@waymark/domain/flow-files');
  const { flowText, loadFlowVersion } = await import('@waymark/domain/flows');
  const { manager } = await session.openOperatorDatabase();
  const text = flowText(await loadFlowVersion(manager, flow, 0));
  const file = `${flow}.yaml`;
  return { file, text, draft: parseFlowFile(text, { file }).draft! };
}

function refuseOwn({ flow, language: own }: FlowDraft, language: string): void {
  if (own === undefined)
    throw new CommandRefusal(
      `${flow} does not say which language its texts are in; write it into its file, such as language: en`,
    );
  if (own === language)
    throw new CommandRefusal(`${language} is the language that the texts of ${flow} are in`);
}

async function readTranslations(file: string): Promise<TranslationFile> {
  const read = await readText(file);
  if ('problem' in read) throw new CommandRefusal(`${file} ${read.problem.message}`);
  let found: unknown;
  try {
    found = JSON.parse(read.text);
  } catch (cause) {
    throw new CommandRefusal(`${file} is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (nestsTooDeep(found))
    throw new CommandRefusal(`${file} nests more than ${MAX_LEVELS} levels deep`);
  const { flow, language, texts } = Object(found) as Record<string, unknown>;
  const wrong =
    typeof flow !== 'string' || typeof language !== 'string' || !isObject(texts)
      ? 'flow, language and texts'
      : Object.entries(texts).find(([, one]) => !isText(one))?.[0];
  if (wrong !== undefined)
    throw new CommandRefusal(
      `${file} is not what \`flow texts export\` writes: see ${wrong}; each text has from and to`,
    );
  const tag = canonical(language as string);
  if (tag !== undefined) return { ...(found as TranslationFile), language: tag };
  throw new CommandRefusal(`${file}: the language ${JSON.stringify(language)} is not ${NO_TAG}`);
}

/** More than rich text may have. Much more would end whatever reads it by recursion. */
const MAX_LEVELS = 100;

function nestsTooDeep(found: unknown): boolean {
  let level = [found];
  for (let depth = 0; depth <= MAX_LEVELS && level.length > 0; depth++)
    level = level
      .flatMap((value) => Object.values(Object(value)))
      .filter((value) => typeof value === 'object');
  return level.length > 0;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isText(value: unknown): boolean {
  const { from, to } = Object(value) as Record<string, unknown>;
  return [from, to].every((text) => typeof text === 'string' || Array.isArray(text));
}

async function importIntoDraft(
  session: Session,
  wanted: TranslationFile,
  options: ImportArguments,
): Promise<void> {
  const { publishFlows, textHash } = await import('@waymark/domain/flows');
  const dataSource = await session.openOperatorDatabase();
  const source = await load(session, wanted.flow);
  const imported = await importInto(session, source, wanted, options);
  const texts = new Map([[wanted.flow, { text: imported.text, ifMatch: textHash(source.text) }]]);
  await publishFlows(dataSource, [imported.draft], session.author, undefined, texts);
  printImported(session, wanted, imported);
}

/** The changed text, once everything about it is fine. */
async function importInto(
  session: Session,
  { text, draft, file }: Source,
  wanted: TranslationFile,
  { skipChanged }: ImportArguments,
): Promise<ImportedTexts & { readonly draft: FlowDraft }> {
  const { importTexts, parseFlowFile } = await import('@waymark/domain/flow-files');
  if (draft.flow !== wanted.flow)
    throw new CommandRefusal(`the texts are those of ${wanted.flow}, the file is ${draft.flow}`);
  refuseOwn(draft, wanted.language);
  const imported = importTexts(text, draft, wanted);
  const { refused, isWhole } = imported;
  for (const line of refused) session.note(line);
  if (refused.length > 0 && !skipChanged)
    throw new CommandRefusal(
      `${inDigits(refused.length)} text(s) have changed since they were exported, nothing was written; export them again, or leave them out with --skip-changed`,
      { document: { error: { code: 'refused', message: 'texts have changed' }, refused } },
    );
  if (!isWhole)
    throw new CommandRefusal(
      `the translations of ${draft.flow} are written in a way that cannot be changed by itself, such as an alias of YAML; write them by hand`,
    );
  const read = { ...parseFlowFile(imported.text, { file }), file, text: imported.text };
  await refuseProblems(session, [read], ', nothing was written');
  for (const line of await problemLines(read.problems)) session.note(line);
  return { ...imported, draft: read.draft! };
}

function printImported(
  session: Session,
  { flow, language }: TranslationFile,
  { put, refused }: ImportedTexts,
): void {
  const left = refused.length > 0 ? `, ${inDigits(refused.length)} left out` : '';
  session.print(
    { flow, language, put, refused },
    `${inDigits(put)} text(s) of ${flow} put in ${language}${left}`,
  );
}
