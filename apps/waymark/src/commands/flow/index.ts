import type { Command } from '../../command-line/command.js';
import { addApplyCommand } from './commit/apply.js';
import {
  addArchiveCommand,
  addPinCommand,
  addUnpinCommand,
  addRevertCommand,
} from './change-versions.js';
import { addCommitCommand } from './commit/commit.js';
import {
  addDiffCommand,
  addExportCommand,
  addSchemaCommand,
  addValidateCommand,
} from './flow-files.js';
import { addExplainCommand, addShowCommand } from './show.js';
import { addGraphCommand } from './graph.js';
import { addListCommand, addVersionsCommand } from './list.js';
import { addPlanCommand } from './plan/plan.js';
import { addReportCommand } from './report/report.js';
import { addSimulateCommand } from './simulate.js';
import { addTextsCommand } from './texts.js';

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
    addTextsCommand,
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
