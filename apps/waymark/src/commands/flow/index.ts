import type { Command } from 'commander';
import { addApply } from './apply.js';
import { addArchive } from './archive.js';
import { addCommit } from './commit.js';
import { addDiff } from './diff.js';
import { addExplain } from './explain.js';
import { addExport } from './export.js';
import { addGraph } from './graph.js';
import { addList } from './list.js';
import { addPin, addUnpin } from './pin.js';
import { addPlan } from './plan.js';
import { addReport } from './report.js';
import { addRevert } from './revert.js';
import { addSchema } from './schema.js';
import { addShow } from './show.js';
import { addSimulate } from './simulate.js';
import { addValidate } from './validate.js';
import { addVersions } from './versions.js';

export function addFlow(program: Command): void {
  const flow = program.command('flow').description('flows: files, versions, pictures');
  for (const add of [
    addValidate,
    addApply,
    addCommit,
    addList,
    addVersions,
    addShow,
    addExport,
    addDiff,
    addRevert,
    addPin,
    addUnpin,
    addGraph,
    addReport,
    addExplain,
    addPlan,
    addSimulate,
    addArchive,
    addSchema,
  ])
    add(flow);
}
