import {
  type Membership,
  MEMBERSHIP,
  putPart,
  writeMembership,
} from '@waymark/domain/targeting/rows';
import type { ConditionNames } from '../../src/conditions/condition-views.js';
import { Options } from '../controls/options.js';

/** Nothing where there are no segments. */
export function AddSegment({
  names: {
    segments: [first],
  },
  onAdd,
}: {
  names: ConditionNames;
  onAdd: (text: string) => void;
}) {
  if (first === undefined) return null;
  const add = (): void => onAdd(writeMembership({ name: first, isNot: false }));
  return (
    <button type="button" class="tight" onClick={add}>
      + Segment
    </button>
  );
}

interface MembershipProps {
  part: Membership;
  text: string;
  names: ConditionNames;
  onChange: (text: string) => void;
}

/** Whether the user is in a segment. */
export function MembershipPart({ part, text, names: { segments }, onChange }: MembershipProps) {
  const change = (next: Partial<Membership>): void =>
    onChange(putPart(text, part, writeMembership({ ...part, ...next })));
  const known = segments.includes(part.name) ? segments : [part.name, ...segments];
  return (
    <div class="condition-row">
      <select
        aria-label="In or not"
        value={part.isNot ? 'out' : 'in'}
        onChange={({ currentTarget }) => change({ isNot: currentTarget.value === 'out' })}
      >
        <Options of={MEMBERSHIP} />
      </select>
      <select
        aria-label="Segment"
        value={part.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      >
        <Options of={known} />
      </select>
    </div>
  );
}
