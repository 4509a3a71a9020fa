import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FlowDraft } from '@waymark/domain/engine';
import { Database } from '@waymark/domain/database';
import { getEnvironment } from '@waymark/domain/access';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { applyFlows, commitFlow, listFlows } from '@waymark/domain/flows';
import { Identify } from '@waymark/domain/users';
import type { DataSource } from 'typeorm';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { say } from './log.js';

/** Seen from the bundle. */
const FOLDER = fileURLToPath(new URL('../../../examples/flows', import.meta.url));

/** A user who qualifies for the demo flow. */
export const DEMO_USER = { identifier: 'ada', properties: { plan: 'pro', roles: ['Admin'] } };

/** Where the webhooks of the example flows go as they are written, which is nowhere. */
const NOWHERE = 'https://hooks.acme.test';

/**
 * Commits the example flows that are not there yet, so that what a developer made of them stays,
 * and identifies a user. Their webhooks go to `receiver`, where there is one.
 */
export async function addDemo(
  dataSource: DataSource,
  environment: string,
  receiver = NOWHERE,
): Promise<void> {
  const { id } = await getEnvironment(dataSource, environment);
  const user = {
    identifier: DEMO_USER.identifier,
    properties: JSON.stringify(DEMO_USER.properties),
    where: '',
  };
  await new Identify(new Database(dataSource)).run({
    environmentId: id,
    users: [user],
    groups: [],
    memberships: [],
  });
  const flows = await commitMissing(dataSource, receiver);
  if (flows.length > 0) say('waymark', `demo flows: ${flows.join(', ')}`);
}

async function commitMissing(dataSource: DataSource, receiver: string): Promise<string[]> {
  const drafts = (await readExamples()).map((draft) => sendTo(receiver, draft));
  return dataSource.transaction(async (manager) => {
    const known = new Set((await listFlows(manager)).map(({ flow }) => flow));
    const missing = drafts.filter(({ flow }) => !known.has(flow));
    await applyFlows(manager, missing);
    for (const { flow } of missing) await commitFlow(manager, flow, 'demo data of the local stack');
    return missing.map(({ flow }) => flow);
  });
}

const sendTo = (receiver: string, draft: FlowDraft): FlowDraft => ({
  ...draft,
  blocks: draft.blocks.map((block) =>
    block.type === 'webhook' ? { ...block, url: block.url.replace(NOWHERE, receiver) } : block,
  ),
});

async function readExamples() {
  const files = (await readdir(FOLDER).catch(() => []))
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  return Promise.all(files.map((file) => readExample(path.join(FOLDER, file))));
}

async function readExample(file: string) {
  const { draft, problems } = parseFlowFile(await readFile(file, 'utf8'), { file });
  if (draft) return draft;
  throw new CommandRefusal(
    `the demo flow cannot be read: ${file}: ${problems[0]?.message}; --no-demo does without`,
  );
}
