/** Changes as the log shows them, each followed by its subject, such as a flow or a key. */
const WORDS: Readonly<Record<string, string>> = {
  'attention.apply': 'changed the attention groups',
  'segment.apply': 'changed the segments',
  'audit.prune': 'deleted the log',
  'effect.retry': 'tried again',
  'endpoint.add': 'added the endpoint',
  'endpoint.pause': 'paused the endpoint',
  'endpoint.remove': 'removed the endpoint',
  'endpoint.replay': 'sent events again to the endpoint',
  'endpoint.resume': 'resumed the endpoint',
  'endpoint.rotate-secret': 'changed the secret of the endpoint',
  'environment.create': 'created the environment',
  'environment.releases': 'changed how versions are released in',
  'environment.rotate-webhook-secret': 'changed the secret of webhooks',
  'environment.verify': 'changed who has to be verified in',
  'events.prune': 'deleted events',
  'flow.apply': 'saved the draft of',
  'flow.archive': 'archived',
  'flow.commit': 'published',
  'flow.pin': 'held',
  'flow.revert': 'made an earlier version the draft of',
  'flow.unpin': 'released the hold on',
  'group.delete': 'deleted the',
  'key.create': 'created a',
  'key.revoke': 'revoked a',
  'reset.run': 'reset users of',
  'reset.undo': 'undid the reset of',
  'signer.add': 'added the',
  'signer.remove': 'removed the',
  'state.finish': 'finished',
  'state.reset': 'reset',
  'state.restore': 'restored',
  'state.start': 'started',
  'state.stop': 'stopped',
  'user.delete': 'deleted a user',
};

/** What an action is in words; one that is newer than these pages is shown by its name. */
export function describeAction(action: string, isPublished = false): string {
  return action === 'flow.apply' && isPublished ? 'saved and published' : (WORDS[action] ?? action);
}

/** With more flows than this, versions are not listed. */
const LISTED = 5;

/** Which versions were published, behind the names of their flows. */
export function describeVersions(versions: readonly number[]): string {
  const numbers = [...new Set(versions)].sort((one, other) => one - other);
  if (numbers.length === 0) return '';
  if (numbers.length === 1) return ` version ${numbers[0]}${versions.length > 1 ? ' each' : ''}`;
  return versions.length > LISTED
    ? ` versions ${numbers[0]} to ${numbers.at(-1)}`
    : ` versions ${versions.join(', ')}`;
}
