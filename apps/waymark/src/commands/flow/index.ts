import type { Command } from '../../command-line/command.js';
import { addApplyCommand } from './commit/apply.js';
import { addArchiveCommand } from './archive.js';
import { addCommitCommand } from './commit/commit.js';
import { addDiffCommand } from './diff.js';
import { addExplainCommand } from './explain.js';
import { addExportCommand } from './export.js';
import { addGraphCommand } from './graph.js';
import { addListCommand } from './list.js';
import { addPinCommand, addUnpinCommand } from './pin.js';
import { addPlanCommand } from './plan/plan.js';
import { addReportCommand } from './report/report.js';
import { addRevertCommand } from './revert.js';
import { addSchemaCommand } from './schema.js';
import { addShowCommand } from './show.js';
import { addSimulateCommand } from './simulate/simulate.js';
import { addValidateCommand } from './validate.js';
import { addVersionsCommand } from './versions.js';

export function addFlowCommand(program: Command): void {
  const flow = program.command('flow').description('flows: files, versions, pictures');
  for (const add of [
    addValidateCommand,
    addApplyCommand,
    addCommitCommand,
    addListCommand,
    addVersionsCommand,
    addShowCommand,
    addExportCommand,
    addDiffCommand,
    addRevertCommand,
    addPinCommand,
    addUnpinCommand,
    addGraphCommand,
    addReportCommand,
    addExplainCommand,
    addPlanCommand,
    addSimulateCommand,
    addArchiveCommand,
    addSchemaCommand,
  ])
    add(flow);
}
