import path from 'node:path';
import type { Command } from '../../command-line/command.js';
import { writeOutput } from '../../output/write-output.js';

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
      session.print({ file: output }, `${output} is written; flow files beside it begin with the line\n${first}`);
    });
}
