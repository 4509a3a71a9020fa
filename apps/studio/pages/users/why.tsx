import type { Explanation } from '@waymark/domain/impact';
import { call, path } from '../api/call.js';
import { Shown, useLoaded } from '../controls/loaded.js';

interface WhyProps {
  environment: string;
  user: string;
  flow: string;
  version: number;
  /** Explains again when the state has moved. */
  revision: number;
  /** Whether the picture beside it shows the state as it was before. */
  isPast: boolean;
}

/** Why the user sees what they see of the flow, in sentences (I1). */
export function Why({ environment, user, flow, version, revision, isPast }: WhyProps) {
  const asked = path`/api/${environment}/users/${user}/flows/${flow}/why`;
  const why = useLoaded(`${asked} ${version} ${revision}`, (signal) =>
    call<Explanation>(`${asked}?version=${version}`, { signal }),
  );
  return (
    <section class="card stack close">
      <h2>{isPast ? 'Why, as of now' : 'Why'}</h2>
      <Shown of={why} what="the explanation">
        {({ reasons }) => (
          <ul class="list">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}
