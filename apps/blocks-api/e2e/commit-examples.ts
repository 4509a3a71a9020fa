import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { applyFlows, commitFlow } from '@waymark/domain/flows';
import { exampleFolder } from '@waymark/testing/browser';
import type { LiveReplicas } from './live-replicas.js';

/** In German, too, so that a browser in German has something to read. */
const GERMAN = {
  onboarding: `
language: en
languages:
  de: { welcome: { title: Willkommen bei Acme, complete-label: Zeigen, dismiss-label: Nicht jetzt } }
`,
  tips: '',
};

/** Some of examples/flows, committed; returns when every replica knows them. */
export async function commitExamples(
  live: LiveReplicas,
  ...flows: (keyof typeof GERMAN)[]
): Promise<void> {
  for (const flow of flows) {
    const file = path.join(exampleFolder('flows'), `${flow}.yaml`);
    const { draft } = parseFlowFile((await readFile(file, 'utf8')) + GERMAN[flow], { file });
    await live.fixture.dataSource.transaction(async (manager) => {
      await applyFlows(manager, [draft!]);
      await commitFlow(manager, flow, 'for the browser');
    });
    await live.untilKnown(flow, 1);
  }
}
