import { type AttentionRules, formatDuration, isSid, MOST_STARTS } from '../../engine/index.js';
import { readDuration } from '../source/read-duration.js';
import type { FileNode } from '../source/file-node.js';
import { quote } from '../source/wording.js';
import { parseSharedFile, type ParsedFile } from './parse-shared-file.js';

/** The rules of each group by its name, in the order of the file. */
export type AttentionGroups = ReadonlyMap<string, AttentionRules>;

const MOST_GROUPS = 1_000;
const MOST_AT_ONCE = 1_000;
const BAD_DURATION = 'attention.bad-duration';

/** Reads `attention.yaml` (Q1). */
export const parseAttentionFile = (
  text: string,
  options: { file: string },
): ParsedFile<AttentionGroups> => parseSharedFile(text, options, readGroups);

/** The file that has these groups. */
export function formatAttentionFile(groups: AttentionGroups): string {
  if (groups.size === 0) return 'groups: {}\n';
  const lines = [...groups].flatMap(([name, { atOnce, limit, pause, idle }]) => {
    const rules = [
      ...(atOnce === undefined ? [] : [`at-once: ${atOnce}`]),
      ...(limit ? [`limit: { starts: ${limit.starts}, per: ${formatDuration(limit.per)} }`] : []),
      ...(pause === undefined ? [] : [`pause: ${formatDuration(pause)}`]),
      ...(idle === undefined ? [] : [`idle: ${formatDuration(idle)}`]),
    ];
    // In quotes, since a name may look like a number.
    if (rules.length === 0) return [`  ${JSON.stringify(name)}: {}`];
    return [`  ${JSON.stringify(name)}:`, ...rules.map((rule) => `    ${rule}`)];
  });
  return `groups:\n${lines.join('\n')}\n`;
}

function readGroups(file: FileNode): AttentionGroups {
  const groups = file.parts('a file of attention groups', ['groups']).get('groups');
  if (!groups) {
    if (file.isMap()) file.reportMissing('groups', 'a file of attention groups needs groups: {}');
    return new Map();
  }
  const entries = groups.entries('groups as a map of names');
  if (entries.length > MOST_GROUPS)
    groups.report('attention.too-many', `there are at most ${MOST_GROUPS} groups`);
  return new Map(
    entries.map(({ key, value }) => {
      if (!isSid(key))
        value.reportKey(
          'attention.bad-group',
          `${quote(key)} cannot name a group: use 1 to 128 letters, digits, "_" and "-", beginning with a letter or digit`,
        );
      return [key, readRules(value)];
    }),
  );
}

function readRules(group: FileNode): AttentionRules {
  // A group without rules counts what happens and limits nothing.
  if (group.isNull()) return {};
  const parts = group.parts('a group', ['at-once', 'limit', 'pause', 'idle']);
  const atOnce = readCount(parts.get('at-once'), 'at-once', MOST_AT_ONCE);
  const limit = readLimit(parts.get('limit'));
  const pause = readDuration(parts.get('pause'), 'pause', BAD_DURATION);
  const idle = readDuration(parts.get('idle'), 'idle', BAD_DURATION);
  if (parts.has('idle') && !parts.has('at-once'))
    parts
      .get('idle')!
      .reportKey(
        'attention.idle-alone',
        'idle says when a flow holds its place no longer, and places are counted by at-once only; add at-once, or leave idle out',
      );
  return {
    ...(atOnce !== undefined && { atOnce }),
    ...(limit && { limit }),
    ...(pause !== undefined && { pause }),
    ...(idle !== undefined && { idle }),
  };
}

function readLimit(node: FileNode | undefined): AttentionRules['limit'] {
  if (!node) return undefined;
  const parts = node.parts('limit', ['starts', 'per']);
  for (const key of ['starts', 'per'])
    if (node.isMap() && !parts.has(key))
      node.reportMissing(key, 'a limit needs both, such as { starts: 2, per: 7 days }');
  const starts = readCount(parts.get('starts'), 'starts', MOST_STARTS);
  const per = readDuration(parts.get('per'), 'per', BAD_DURATION);
  return starts === undefined || per === undefined ? undefined : { starts, per };
}

function readCount(node: FileNode | undefined, what: string, most: number): number | undefined {
  const count = node?.scalar();
  if (!node) return undefined;
  if (Number.isInteger(count) && (count as number) >= 1 && (count as number) <= most)
    return count as number;
  node.report(
    'attention.bad-count',
    `${what} is a whole number from 1 to ${most}, not ${node.describe()}`,
  );
  return undefined;
}
