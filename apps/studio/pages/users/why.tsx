import type { ExplainedCondition } from '@waymark/domain/analysis';
import type { ExplanationShown } from '../../src/users/user-views.js';
import { call, path, sentence } from '../api/call.js';
import { ConditionShown } from '../condition/condition-shown.js';
import { type Loaded, Shown, useLoaded } from '../controls/loaded.js';
import { titleOf } from '../controls/titled.js';
import { Sentence } from '../controls/time.js';

interface WhyQuestion {
  environment: string;
  user: string;
  /** Undefined asks nothing. */
  flow: string | undefined;
  /** The answer is loaded again when this changes. */
  moment?: string;
}

/** Why a user sees what they see of a flow, or does not, by the version that `latest` is (I1). */
export function useWhy({ environment, user, flow, moment }: WhyQuestion): Loaded<ExplanationShown> {
  const address =
    flow === undefined ? '' : path`/api/${environment}/users/${user}/flows/${flow}/why`;
  return useLoaded(flow === undefined ? undefined : `${address} ${moment}`, (signal) =>
    call<ExplanationShown>(address, { signal }),
  );
}

/** The explanation in sentences, the answer first. */
export function Why({ why, isPast = false }: { why: Loaded<ExplanationShown>; isPast?: boolean }) {
  return (
    <section class="card stack close" aria-label="Why">
      <h2>{isPast ? 'Why, as of now' : 'Why'}</h2>
      <Shown of={why} what="the explanation">
        {(explanation) => <Answer explanation={explanation} />}
      </Shown>
    </section>
  );
}

interface AnswerProps {
  explanation: ExplanationShown;
}

export function Answer({ explanation }: AnswerProps) {
  const { words, tone } = answerOf(explanation);
  return (
    <>
      <p class={`note ${tone}`}>
        <Sentence text={words} />
      </p>
      <Conditions explanation={explanation} />
      <ul class="list">
        {explanation.reasons
          .filter((reason) => !words.includes(reason))
          .map((reason) => (
            <li key={reason}>
              <Sentence text={sentence(reason)} />
            </li>
          ))}
      </ul>
    </>
  );
}

/** What decides, part by part, with what the user has (T15). */
function Conditions({
  explanation: { condition, active, delays, gates, done, goal, names },
}: AnswerProps) {
  // Who is in the flow stays in it, whatever its targeting says now.
  const decides = !delays && active.length + gates.length === 0;
  return (
    <>
      {condition && decides && <Explained title="Who enters" condition={condition} />}
      {done.map(({ block, condition: when }) => (
        <Explained
          key={block}
          title={`What completes ${titleOf(names, block) ?? block}`}
          condition={when}
        />
      ))}
      {goal && <Explained title="Goal" condition={goal} />}
    </>
  );
}

const Explained = ({ title, condition }: { title: string; condition: ExplainedCondition }) => (
  <section class="stack close" aria-label={title}>
    <h3>{title}</h3>
    <ConditionShown text={condition.source} explained={condition} />
  </section>
);

interface Words {
  words: string;
  tone: 'good' | 'warn' | '';
}

function answerOf({
  identified,
  because,
  wouldStart,
  active,
  delays,
  items,
  names,
}: ExplanationShown): Words {
  if (!identified)
    return { words: 'Does not see it: no such user was ever identified here.', tone: 'warn' };
  // Items are shown with their container.
  const left = new Set(items.flatMap((item) => item.left));
  const seen = active.map(({ block }) => block).filter((block) => !left.has(block));
  if (seen.length > 0)
    return {
      words: `Sees ${seen.map((block) => titleOf(names, block) ?? block).join(' and ')} now.`,
      tone: 'good',
    };
  if (delays) return { words: 'Sees nothing of it now, and waits in a delay.', tone: '' };
  if (because !== undefined) return { words: `Does not see it: ${because}.`, tone: '' };
  return wouldStart
    ? { words: 'Enters it the next time the application asks.', tone: 'good' }
    : { words: 'Does not see it.', tone: '' };
}
