import { countText } from '../controls/time.js';
import type { CountedSoFar } from './use-report.js';

/** How far a count of many users is. */
export function Counting({ sofar }: { sofar: CountedSoFar | undefined }) {
  return (
    <div class="progress" role="status">
      <span class="faint">
        Counting users
        {sofar ? `: ${countText(sofar.users)} so far, ${Math.round(sofar.done * 100)} %` : ' …'}
      </span>
      <div class="progress-track" />
    </div>
  );
}
