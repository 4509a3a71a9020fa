import { type Attention, HIGHEST_PRIORITY, isSid } from '../../engine/index.js';
import type { FileNode } from '../source/file-node.js';
import { quote } from '../source/wording.js';

/** `attention` of a flow: its group, and its priority in it (Q1). */
export function readAttention(node: FileNode | undefined): { attention?: Attention } {
  if (!node) return {};
  const parts = node.parts('attention', ['group', 'priority']);
  if (node.isMap() && !parts.has('group'))
    node.reportMissing('group', 'attention needs its group: { group: announcements }');
  const group = readGroupName(parts.get('group'));
  const priority = readPriority(parts.get('priority'));
  return { attention: { group: group ?? '', ...(priority !== undefined && { priority }) } };
}

function readGroupName(node: FileNode | undefined): string | undefined {
  const name = node?.text('the name of a group');
  if (name !== undefined && !isSid(name))
    node!.report(
      'attention.bad-group',
      `${quote(name)} cannot name a group: use 1 to 128 letters, digits, "_" and "-", beginning with a letter or digit`,
    );
  return name;
}

function readPriority(node: FileNode | undefined): number | undefined {
  const priority = node?.scalar();
  if (!node || (Number.isInteger(priority) && isInRange(priority as number)))
    return priority as number | undefined;
  node.report(
    'attention.bad-priority',
    `priority is a whole number from 0 to ${HIGHEST_PRIORITY}, higher first, not ${node.describe()}`,
  );
  return undefined;
}

const isInRange = (priority: number): boolean => priority >= 0 && priority <= HIGHEST_PRIORITY;
