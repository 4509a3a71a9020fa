import type { SegmentsFile } from '../../src/shared-files/shared-file-views.js';
import { useAnswer } from '../controls/loaded.js';
import { choose, query } from '../router/router.js';

/** The segment that the address names; empty for everybody. */
export const chosenSegment = (): string => query.value.get('segment') ?? '';

/** Chooses whose numbers are shown: users who are in a segment by now (Z6, T18). */
export function SegmentChoice() {
  const chosen = chosenSegment();
  const known = useAnswer<SegmentsFile>('/api/segments').value?.segments ?? [];
  const names = known.map(({ segment }) => segment);
  if (names.length === 0 && chosen === '') return null;
  return (
    <label class="inline-field">
      <span class="faint">In the segment</span>
      <select
        value={chosen}
        onChange={({ currentTarget }) =>
          choose({ segment: currentTarget.value || undefined }, { replace: true })
        }
      >
        <option value="">everybody</option>
        {[...new Set([...names, ...(chosen === '' ? [] : [chosen])])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
