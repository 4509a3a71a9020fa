import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database } from '@waymark/domain/database';
import { getEnvironment } from '@waymark/domain/environments';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { applyFlows, commitFlow, listFlows } from '@waymark/domain/flows';
import { Identify } from '@waymark/domain/users';
import type { DataSource } from 'typeorm';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { say } from './log.js';

/** Seen from the bundle. */
const FOLDER = fileURLToPath(new URL('../../../examples/flows', import.meta.url));

/** Somebody who qualifies for the demo flow. */
export const DEMO_USER = { identifier: 'ada', properties: { plan: 'pro', roles: ['Admin'] } };

/** Commits the example flows that are not there yet, so that what a developer made of them stays, and identifies a user. */
export async function addDemo(dataSource: DataSource, environment: string): Promise<void> {
  const { id } = await getEnvironment(dataSource, environment);
  const user = { identifier: DEMO_USER.identifier, properties: JSON.stringify(DEMO_USER.properties), where: '' };
  await new Identify(new Database(dataSource)).run({ environmentId: id, users: [user], groups: [], memberships: [] });
  const flows = await commitMissing(dataSource);
  if (flows.length > 0) say('waymark', `demo flows: ${flows.join(', ')}`);
}

async function commitMissing(dataSource: DataSource): Promise<string[]> {
  const drafts = await readExamples();
  return dataSource.transaction(async (manager) => {
    const known = new Set((await listFlows(manager)).map(({ flow }) => flow));
    const missing = drafts.filter(({ flow }) => !known.has(flow));
    await applyFlows(manager, missing);
    for (const { flow } of missing) await commitFlow(manager, flow, 'demo data of the local stack');
    return missing.map(({ flow }) => flow);
  });
}

async function readExamples() {
  const files = (await readdir(FOLDER).catch(() => [])).filter((file) => file.endsWith('.yaml')).sort();
  return Promise.all(files.map((file) => readExample(path.join(FOLDER, file))));
}

async function readExample(file: string) {
  const { draft, problems } = parseFlowFile(await readFile(file, 'utf8'), { file });
  if (draft) return draft;
  throw new CommandRefusal(`the demo flow cannot be read: ${file}: ${problems[0]?.message}; --no-demo does without`);
}
