import type { DataSource } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import type { FlowDraft, MigrationStrategy } from '../../engine/index.js';
import { invalidRequest } from '../../database/errors/index.js';
import { applyFlows, type DraftSources } from '../draft/apply-flows.js';
import { commitFlow, type Committed } from './commit-flow.js';

/**
 * What a commit says of itself, and what it does to users with a state in an older version (S28).
 */
interface CommitMetadata {
  /** What it changes; 1 to 1,000 characters. */
  readonly message: string;
  readonly migration: MigrationStrategy;
}

interface PublishedFlow extends Committed {
  readonly flow: string;
}

const LONGEST_MESSAGE = 1_000;
/** How many flows the audit log names of one apply. */
const NAMED = 20;

/**
 * Writes checked drafts as version 0 of their flows, and commits them where there are words for a
 * commit: all of them or none (F4). `version` is 0 where nothing was to be committed. Throws
 * `flow.changed` (T6), and `request.invalid` for a message without words or end.
 */
export function publishFlows(
  dataSource: DataSource,
  drafts: readonly FlowDraft[],
  author: Author,
  commit?: CommitMetadata,
  texts?: DraftSources,
): Promise<PublishedFlow[]> {
  const act = { action: commit ? 'flow.commit' : 'flow.apply', subject: listFlowNames(drafts) };
  return recordChange(dataSource, act, author, async (manager, notes) => {
    if (commit) checkMessage(commit);
    await applyFlows(manager, drafts, texts);
    const published: PublishedFlow[] = [];
    for (const { flow } of drafts) {
      const done =
        commit && (await commitFlow(manager, flow, commit.message, commit.migration, author.by));
      published.push({ flow, ...(done ?? { version: 0, committed: false }) });
    }
    notes.result = {
      versions: Object.fromEntries(published.map(({ flow, version }) => [flow, version])),
    };
    return published;
  });
}

/**
 * Makes version 0 the next commit (S26). Throws `flow.unknown`, for archived flows too, and as
 * `publishFlows` does.
 */
export function commitVersion(
  dataSource: DataSource,
  flow: string,
  { message, migration }: CommitMetadata,
  author: Author,
): Promise<Committed> {
  return recordChange(dataSource, { action: 'flow.commit' }, author, async (manager, notes) => {
    checkMessage({ message });
    const done = await commitFlow(manager, flow, message, migration, author.by);
    notes.subject = flow;
    notes.result = { ...done };
    return done;
  });
}

function checkMessage({ message }: Pick<CommitMetadata, 'message'>): void {
  if (!message.trim()) throw invalidRequest('a commit needs a message that says what it changes');
  const { length } = [...message];
  if (length > LONGEST_MESSAGE)
    throw invalidRequest(
      `the message of a commit has ${LONGEST_MESSAGE} characters at most, this one has ${length}`,
    );
  if (message.includes('\0'))
    throw invalidRequest('the message of a commit cannot contain the character U+0000');
}

function listFlowNames(drafts: readonly FlowDraft[]): string {
  const names = drafts.map(({ flow }) => flow);
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
