import type { Command } from '../../command-line/command.js';
import { problemLines, readFlowFiles, refuseProblems } from './files/read-flow-files.js';

export function addValidateCommand(flow: Command): void {
  flow
    .command('validate <files...>')
    .description('every check of flow files, without a database')
    .operation(async (session, names: string[]) => {
      const files = await readFlowFiles(names);
      await refuseProblems(session, files, '');
      const problems = files.flatMap((file) => file.problems);
      const summary = `${files.length} ${files.length === 1 ? 'file is' : 'files are'} fine`;
      session.print({ problems }, [...(await problemLines(problems)), summary].join('\n'));
    });
}
