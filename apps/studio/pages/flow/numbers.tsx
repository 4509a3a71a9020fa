import { useState } from 'preact/hooks';
import type { BlockReport, FlowReport } from '@waymark/domain/analysis';
import { countText, lengthText, shareText } from '../controls/time.js';
import type { Scope } from './use-report.js';
import { WhoButton, WhoIsHere } from './who-is-here.js';

/**
 * Users of a block: who is there, who came, by which way they left; of a branch, which way they
 * were sent.
 */
export function Numbers({ block, report }: { block: string; report: FlowReport }) {
  const branch = report.branches.find((one) => one.block === block);
  const found = report.blocks.find((one) => one.block === block);
  if (branch)
    return (
      <div class="row">
        {Object.entries(branch.outcomes).map(([outcome, count]) => (
          <span key={outcome} class="chip">
            {outcome}: {countText(count)} users
          </span>
        ))}
      </div>
    );
  if (!found) return null;
  return (
    <>
      <div class="figures">
        <div class="figure">
          <b>{countText(found.now)}</b>
          <span class="faint">there now</span>
        </div>
        <div class="figure">
          <b>{countText(found.reached)}</b>
          <span class="faint">reached it, {shareText(found.reached, report.started)}</span>
        </div>
        {found.seconds.median !== null && (
          <div class="figure">
            <b>{lengthText(found.seconds.median)}</b>
            <span class="faint">median time in it</span>
          </div>
        )}
      </div>
      <WaysOut of={found} />
    </>
  );
}

/** The same of an item, in one line; who is in it on request. */
export function ItemNumbers({
  item,
  report,
  scope,
}: {
  item: string;
  report: FlowReport;
  scope: Scope;
}) {
  const [isOpen, setOpen] = useState(false);
  const found = report.blocks.find((one) => one.block === item);
  if (!found) return null;
  return (
    <div class="stack close">
      <p class="small">
        <b>{countText(found.now)}</b> <span class="faint">there now,</span>{' '}
        <b>{countText(found.reached)}</b>{' '}
        <span class="faint">reached it, {shareText(found.reached, report.started)}</span>
        {found.now > 0 && (
          <>
            {' '}
            <WhoButton isOpen={isOpen} onClick={() => setOpen(!isOpen)} />
          </>
        )}
      </p>
      <WaysOut of={found} />
      {isOpen && <WhoIsHere scope={scope} whom={{ block: item }} />}
    </div>
  );
}

function WaysOut({ of: { left, reached } }: { of: BlockReport }) {
  if (Object.keys(left).length === 0) return null;
  return (
    <div class="row">
      {Object.entries(left).map(([name, count]) => (
        <span key={name} class="chip">
          {name}: {countText(count)}, {shareText(count, reached)}
        </span>
      ))}
    </div>
  );
}
