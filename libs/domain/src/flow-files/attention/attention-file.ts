import { type AttentionRules, isSid } from '../../engine/index.js';
import { FileNode } from '../source/file-node.js';
import type { FileProblem } from '../source/file-problem.js';
import { FlowSource } from '../source/flow-source.js';
import { quote } from '../source/wording.js';
import { DURATION_FORM, formatDuration, parseDuration } from './durations.js';

/** The rules of each group by its name, in the order of the file. */
export type AttentionGroups = ReadonlyMap<string, AttentionRules>;

/** More starts are not counted. */
export const MOST_STARTS = 100;
const MOST_GROUPS = 1_000;
const MOST_AT_ONCE = 1_000;

/** Reads `attention.yaml` (Q1) and reports all that is wrong with it at once; the groups are null where something is. */
export function parseAttentionFile(
  text: string,
  { file }: { file: string },
): { groups: AttentionGroups | null; problems: FileProblem[] } {
  const source = new FlowSource(text);
  const groups = source.root ? readGroups(FileNode.root(source)) : null;
  const findings = source.findings.sort((a, b) => a.offset - b.offset);
  const problems = findings.map(({ offset, severity, code, message }) => ({
    file,
    ...source.positionAt(offset),
    severity,
    code,
    message,
  }));
  return { groups: problems.length > 0 ? null : groups, problems };
}

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
  const pause = readDuration(parts.get('pause'), 'pause');
  const idle = readDuration(parts.get('idle'), 'idle');
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
  const per = readDuration(parts.get('per'), 'per');
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

function readDuration(node: FileNode | undefined, what: string): number | undefined {
  const text = node?.isNull() ? '' : node?.written();
  if (!node) return undefined;
  const duration = text === undefined ? undefined : parseDuration(text);
  if (duration === undefined)
    node.report('attention.bad-duration', `${what} is ${DURATION_FORM}, not ${node.describe()}`);
  return duration;
}
