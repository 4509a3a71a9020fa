import { type Context, isRunning, isUntouched } from '../../engine/index.js';
import type { Scene } from './load-scene.js';
import { describeCondition, describeGroup } from './explain-condition.js';
import { describeCause, atTime } from './describe-cause.js';
import { describePlace } from './describe-place.js';
import type { Story } from './story.js';

type Untold = Scene & Pick<Story, 'input'>;

/** The story in sentences: whether they are known, which version counts, how far they came, and what comes next. */
export function describeStory(story: Story | Untold): string[] {
  const { user, flow } = story.input;
  if (story.isArchived)
    return [`${flow} is archived: clients are told that there is no such flow, until its file is applied again`];
  if (!('current' in story) || !story.context)
    return [
      `${JSON.stringify(user)} was never identified in this environment: reads and commands are refused with 404 until it is`,
    ];
  return [
    describeVersion(story),
    ...describeStored(story),
    ...describeFlags(story),
    ...describeEntering(story, story.context),
    ...describePlace(story),
  ];
}

function describeVersion(story: Story): string {
  const { latest, input, newer } = story;
  const { flow, version } = story.flow;
  const counts = input.version === undefined;
  if (version === 0 && latest === null && counts)
    return `${flow} has no committed version: clients that ask for latest get 404; this is about the draft, version 0`;
  if (version === 0) return `this is about the draft, version 0, which only clients that ask for it see`;
  const told = counts ? `latest is version ${version}` : `this is about version ${version}; latest is ${latest}`;
  const which = `${told}${describePin(story)}`;
  return newer === null
    ? which
    : `${which}; the user has a state in version ${newer} too, which clients of that version see instead`;
}

/** Why `latest` is not the highest commit, or will not follow it (S34). */
function describePin({ pinned, highest }: Story): string {
  return pinned === null ? '' : `, which this environment pins; the highest commit is version ${highest}`;
}

function describeStored({ flow, stored, current }: Story): string[] {
  if (!stored) return ['there is no state yet: the user never came near this flow'];
  if (stored.version !== flow.version) {
    const met = `the user is in version ${stored.version}, and the next read takes them over by ${flow.strategy}`;
    return [current.events.length > 0 ? met : `${met}; nothing of it is left in version ${flow.version}`];
  }
  if (stored.edition !== flow.edition && current.events.length > 0)
    return ['the draft was edited since, and the next read fits the state to it'];
  return [];
}

function describeFlags({ biography, current: { state }, stored, flow }: Story): string[] {
  return (['started', 'stopped', 'finished'] as const)
    .filter((flag) => state[flag])
    .map((flag) => {
      const since = stored?.state[flag] ? biography.flags.get(flag) : undefined;
      if (!stored?.state[flag]) return `${flag} by the next read, when it takes the state over`;
      return since
        ? `${flag} ${atTime(since.at)} by ${describeCause(since, flow.compiled)}`
        : `${flag}; the event that tells when is pruned`;
    });
}

function describeEntering({ flow: { compiled }, current: { state }, wouldStart }: Story, context: Context): string[] {
  const { target } = compiled;
  if (!isUntouched(state)) {
    const entered = isRunning(state)
      ? 'in progress: once in, a user stays in, whatever the targeting says now'
      : 'so no read starts it again; a reset would';
    return [entered];
  }
  if (target === 'all') return ['the next read starts it: it is for all users'];
  if (target === 'api-only')
    return ['no read starts it: it is api-only, so only a start or reset with force, or a flow trigger, does'];
  const because = [...describeGroup(target, context), ...describeCondition(target, context)];
  return wouldStart
    ? [`the next read starts it: ${target.source.trim()} holds`, ...because]
    : [`the next read does not start it: ${target.source.trim()} does not hold`, ...because];
}
