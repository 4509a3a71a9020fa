import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { applyFlows, commitFlow } from '@waymark/domain/flows';
import { exampleFolder } from '@waymark/testing/browser';
import type { LiveReplicas } from './live-replicas.js';

/** Some of examples/flows, committed; returns when every replica knows them. */
export async function commitExamples(live: LiveReplicas, ...flows: string[]): Promise<void> {
  for (const flow of flows) {
    const file = path.join(exampleFolder('flows'), `${flow}.yaml`);
    const { draft } = parseFlowFile(await readFile(file, 'utf8'), { file });
    await live.stage.dataSource.transaction(async (manager) => {
      await applyFlows(manager, [draft!]);
      await commitFlow(manager, flow, 'for the browser');
    });
    await live.untilKnown(flow, 1);
  }
}
