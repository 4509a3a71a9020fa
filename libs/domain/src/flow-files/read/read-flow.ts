import { type FlowDraft, insertionsIn, type Target } from '../../engine/index.js';
import { parseExpression } from '../../targeting/index.js';
import type { FileNode } from '../source/file-node.js';
import { readAttention } from './read-attention.js';
import { readBlock } from './read-block.js';
import { readLanguages } from './read-languages.js';
import { isNothing, readTargets } from './read-paths.js';
import { listOf, quote } from '../source/wording.js';

export const FLOW_KEYS = [
  '$schema',
  'flow',
  'name',
  'language',
  'target',
  'attention',
  'end',
  'goal',
  'start',
  'blocks',
  'languages',
];
/**
 * As for the identifiers of users: log lines, pictures and every webhook that requests it carry the
 * name.
 */
export const LONGEST_NAME = 512;
const FLOW_ADVICE = {
  paths: 'paths belong to blocks',
  fields: 'fields belong to blocks',
  when: 'write it under target',
};

/**
 * The flow that a file describes. What is wrong is reported and replaced by a harmless placeholder,
 * so that the rest can still be checked (F4). Null where it is not a map at all.
 */
export function readFlow(file: FileNode): FlowDraft | null {
  if (!file.isMap()) {
    file.report(
      'value.not-map',
      `a flow file is a map of ${listOf(FLOW_KEYS)}, not ${file.describe()}`,
    );
    return null;
  }
  const parts = file.parts('a flow', FLOW_KEYS, FLOW_ADVICE);
  const entries = parts.get('blocks')?.entries('blocks as a map of identifiers') ?? [];
  const ids = new Set(entries.map((entry) => entry.key));
  const blocks = entries.map((entry) => readBlock(entry, ids));
  const name = readName(parts.get('name'));
  const start = parts.get('start');
  if (!parts.has('flow')) file.reportMissing('flow', 'a flow needs its identifier: flow: my-flow');
  if (!start)
    file.reportMissing('start', 'a flow needs a start: a block, finish, or a list of blocks');
  if (start && isNothing(start, ids))
    start.report(
      'value.not-text',
      'start leads nowhere; name a block, finish, or a list of blocks',
    );
  if (!parts.has('blocks'))
    file.reportMissing('blocks', 'a flow needs blocks: a map of identifiers');
  const when = readWhen(parts);
  const texts = readLanguages(parts.get('language'), parts.get('languages'), blocks);
  return {
    format: parts.has('attention') || needsNewer(when, blocks, texts) ? 2 : 1,
    flow: parts.get('flow')?.text('the identifier of a flow') ?? '',
    ...(name !== undefined && { name }),
    ...texts,
    ...when,
    ...readAttention(parts.get('attention')),
    start: start ? readTargets(start, ids) : [],
    blocks,
  };
}

/**
 * Whether a condition looks at what users did (Z2), or mentions a segment (Z6). One that cannot be
 * read is reported elsewhere.
 */
function hasNewerCondition(target: FlowDraft['target'], blocks: FlowDraft['blocks']): boolean {
  const conditions = [target, ...blocks].flatMap((one) => ('when' in one ? (one.when ?? []) : []));
  return conditions.some((source) => {
    try {
      const { events, segments } = parseExpression(source, 'any');
      return events.length > 0 || segments.length > 0;
    } catch {
      return false;
    }
  });
}

const isDoneByItself = (block: FlowDraft['blocks'][number]): boolean =>
  ('done' in block && block.done !== undefined) ||
  ('items' in block && block.items.some(({ done }) => done));

type When = Pick<FlowDraft, 'target' | 'end' | 'goal'>;

/**
 * What releases before the first one with an engine level would pass over (Z0, Z1, Z7, Z8), splits
 * (K1), conditions on events (Z2) or with segments (Z6), delays (Z4) and texts that show properties
 * too (Z5).
 */
const needsNewer = (
  { target, end, goal }: When,
  blocks: FlowDraft['blocks'],
  texts: unknown,
): boolean =>
  [target.from, target.until, end, goal].some((value) => value !== undefined) ||
  hasNewerCondition(target, blocks) ||
  blocks.some(
    (block) => block.type === 'delay' || block.type === 'split' || isDoneByItself(block),
  ) ||
  insertionsIn([blocks, texts]).length > 0;

/** Who enters, until when the flow goes on, and what for. */
function readWhen(parts: ReadonlyMap<string, FileNode>): When {
  const end = parts.get('end')?.text('end, a date');
  const goal = parts.get('goal')?.text('goal, a condition');
  return {
    target: readTarget(parts.get('target')),
    ...(end !== undefined && { end }),
    ...(goal !== undefined && { goal }),
  };
}

function readName(node: FileNode | undefined): string | undefined {
  const name = node?.text('the name of a flow');
  const length = [...(name ?? '')].length;
  if (length > LONGEST_NAME)
    node!.report(
      'flow.long-name',
      `the name of a flow has at most ${LONGEST_NAME} characters, this one has ${length}`,
    );
  return name;
}

function readTarget(node: FileNode | undefined): Target {
  if (!node) return { users: 'all' };
  const parts = node.parts('target', ['users', 'when', 'from', 'until']);
  const users = parts.get('users')?.text('users') ?? 'all';
  const when = parts.get('when');
  const from = parts.get('from')?.text('from, a date');
  const until = parts.get('until')?.text('until, a date');
  const dates = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
  // Without a condition, checkDefinition says so (S4).
  if (users === 'matching') return { users, when: when?.text('when') ?? '', ...dates };
  if (users !== 'all' && users !== 'api-only') {
    parts
      .get('users')!
      .report('target.unknown-users', `users is all, matching or api-only, not ${quote(users)}`);
    return { users: 'all', ...dates };
  }
  when?.reportKey(
    'target.superfluous-condition',
    'a condition is for users: matching only; write users: matching, or leave it out',
  );
  return { users, ...dates };
}
