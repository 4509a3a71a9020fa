import { useState } from 'preact/hooks';
import type { FlowReport } from '@waymark/domain/analysis';
import { ConditionShown } from '../condition/condition-shown.js';
import { countText, shareText } from '../controls/time.js';
import type { Scope } from './use-report.js';
import { WhoButton, WhoIsHere } from './who-is-here.js';

interface GoalFiguresProps {
  report: FlowReport;
  scope: Scope;
}

/**
 * For how many of those who started the flow its goal holds, and who finished without it (Z7, T18).
 */
export function GoalFigures({ report: { goal, started }, scope }: GoalFiguresProps) {
  const [isOpen, setOpen] = useState(false);
  if (!goal) return null;
  return (
    <div class="stack close" role="group" aria-label="Goal">
      <h3>Goal</h3>
      <ConditionShown text={goal.when} />
      <p>
        It holds for <b>{countText(goal.met)}</b> of {countText(started)} who started
        {started > 0 && `, ${shareText(goal.met, started)}`}; <b>{countText(goal.missed)}</b>{' '}
        finished without it.
        {goal.missed > 0 && (
          <>
            {' '}
            <WhoButton isOpen={isOpen} onClick={() => setOpen(!isOpen)} />
          </>
        )}
      </p>
      {isOpen && <WhoIsHere scope={scope} whom={{ goal: 'missed' }} title="Finished without it" />}
    </div>
  );
}
