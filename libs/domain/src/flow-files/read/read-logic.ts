import {
  INTENTS,
  type BranchDraft,
  type DelayDraft,
  type Intent,
  type TriggerDraft,
  type WebhookDraft,
} from '../../engine/index.js';
import type { FileNode } from '../source/file-node.js';
import { readDuration } from '../source/read-duration.js';
import { readJson } from './read-fields.js';
import { listOf, quote } from '../source/wording.js';

type Parts = ReadonlyMap<string, FileNode>;

/** `checkDefinition` reports a missing condition and an unknown intent (S4). */
export function readBranch(parts: Parts): Pick<BranchDraft, 'when'> {
  return { when: parts.get('when')?.text('when') ?? '' };
}

/** One minute in place of what was reported. */
export function readDelay(node: FileNode, parts: Parts): Pick<DelayDraft, 'for'> {
  if (!parts.has('for')) node.reportMissing('for', 'a delay needs a time: for: 2 days');
  return { for: readDuration(parts.get('for'), 'for', 'delay.bad-duration') ?? 60_000 };
}

export function readWebhook(
  node: FileNode,
  parts: Parts,
): Pick<WebhookDraft, 'url' | 'headers' | 'body'> {
  const url =
    readRequired(node, parts, 'url', 'a webhook needs a url: https://example.com/hook') ?? '';
  const headers = parts.get('headers')?.entries('headers as a map of names to values') ?? [];
  const body = parts.get('body');
  return {
    url,
    headers: headers.map(({ key: name, value }) => ({
      name,
      value: value.text(`header ${quote(name)}`) ?? '',
    })),
    ...(body && { body: readJson(body) }),
  };
}

export function readTrigger(
  node: FileNode,
  parts: Parts,
): Pick<TriggerDraft, 'flow' | 'intent' | 'version'> {
  return {
    flow:
      readRequired(
        node,
        parts,
        'flow',
        'a flow-trigger needs a flow: the identifier of another flow',
      ) ?? '',
    intent: (readRequired(
      node,
      parts,
      'intent',
      `a flow-trigger needs an intent: ${listOf(INTENTS, 'or')}`,
    ) ?? '') as Intent,
    version: readVersion(parts.get('version')),
  };
}

function readRequired(
  node: FileNode,
  parts: Parts,
  key: string,
  advice: string,
): string | undefined {
  const part = parts.get(key);
  if (!part) node.reportMissing(key, advice);
  return part?.text(key);
}

/** `latest`, or a version as clients write it (B1): 0 is the one being edited. */
function readVersion(node: FileNode | undefined): number | 'latest' {
  const text = node?.text('version') ?? 'latest';
  if (text === 'latest') return 'latest';
  const version = Number(text);
  if (/^(0|[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(version)) return version;
  node!.report(
    'trigger.bad-version',
    `version is latest or a whole number from 0, not ${quote(text)}`,
  );
  return 'latest';
}
