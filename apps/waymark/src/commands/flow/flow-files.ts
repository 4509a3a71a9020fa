import path from 'node:path';
import type { Command } from '../../command-line/command.js';
import { parseNumber } from '../../command-line/arguments.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';
import { writeOutput } from '../../output/write-output.js';
import {
  type FlowFile,
  problemLines,
  readFlowFiles,
  refuseProblems,
} from './files/read-flow-files.js';

export function addExportCommand(flow: Command): void {
  flow
    .command('export <flow>')
    .description(
      'a version as the file that was applied, comments and all; applying it changes nothing',
    )
    .option(
      '--version <number>',
      'the version; 0, the one being edited, without it',
      parseNumber,
      0,
    )
    .operation(async (session, flow: string, { version }: { version: number }) => {
      const { manager } = await session.openOperatorDatabase();
      const { flowText, loadFlowVersion, textHash } = await import('@waymark/domain/flows');
      const text = flowText(await loadFlowVersion(manager, flow, version));
      session.printFile(
        { flow, version, file: text, hash: textHash(text) },
        text.replace(/\n$/, ''),
      );
    });
}

export function addDiffCommand(flow: Command): void {
  flow
    .command('diff <flow>')
    .description('what changed between two versions, in words')
    .argument('[from]', 'the older version; the latest commit without it', parseNumber)
    .argument('[to]', 'the newer version; 0, the one being edited, without it', parseNumber, 0)
    .operation(async (session, flow: string, older: number | undefined, to: number) => {
      const { manager } = await session.openOperatorDatabase();
      const { diffFlows } = await import('@waymark/domain/flow-files');
      const { loadFlowVersion, loadLatestVersion } = await import('@waymark/domain/flows');
      const from = older ?? (await loadLatestVersion(manager, flow));
      if (from === null)
        throw new CommandRefusal(
          `${flow} was never committed, so there is no version to compare with`,
        );
      const [before, after] = [
        await loadFlowVersion(manager, flow, from),
        await loadFlowVersion(manager, flow, to),
      ];
      const differences = diffFlows(before.definition, after.definition);
      const text =
        differences.map(({ text }) => text).join('\n') ||
        `versions ${from} and ${to} of ${flow} are the same`;
      session.print({ flow, from, to, differences }, text);
    });
}

export function addSchemaCommand(flow: Command): void {
  flow
    .command('schema')
    .description('the JSON Schema of flow files, with which editors complete and check them')
    .option('-o, --output <file>', 'where to write it; to standard output without it')
    .operation(async (session, { output }: { output?: string }) => {
      const { flowFileSchema } = await import('@waymark/domain/flow-files');
      const schema = flowFileSchema() as object;
      const text = JSON.stringify(schema, null, 2);
      if (output === undefined) return session.printFile(schema, text);
      await writeOutput(output, `${text}\n`);
      const first = `# yaml-language-server: $schema=${path.basename(output)}`;
      session.print(
        { file: output },
        `${output} is written; flow files beside it begin with the line\n${first}`,
      );
    });
}

/**
 * With missing translations as errors, so that a flow is published in all its languages or not at
 * all (X1).
 */
const withoutMissing = (file: FlowFile): FlowFile => ({
  ...file,
  problems: file.problems.map((problem) =>
    problem.code === 'language.missing' ? { ...problem, severity: 'error' } : problem,
  ),
});

export function addValidateCommand(flow: Command): void {
  flow
    .command('validate <files...>')
    .description('every check of flow files, without a database')
    .option('--complete', 'refuse languages in which texts are missing')
    .operation(async (session, names: string[], { complete }: { complete?: true }) => {
      const read = await readFlowFiles(names);
      const files = complete ? read.map(withoutMissing) : read;
      await refuseProblems(session, files, '');
      const problems = files.flatMap((file) => file.problems);
      const summary = `${files.length} ${files.length === 1 ? 'file is' : 'files are'} fine`;
      session.print({ problems }, [...(await problemLines(problems)), summary].join('\n'));
    });
}
