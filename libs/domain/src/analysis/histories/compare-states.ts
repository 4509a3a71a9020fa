import {
  blockState,
  type FlowState,
  gateState,
  isKnownState,
  isSameState,
  waitsUntil,
} from '../../engine/index.js';

const FLAGS = ['started', 'stopped', 'finished'] as const;

/**
 * What differs between a stored state and the one that its events give, in a sentence for each
 * place.
 */
export function differencesOf(
  stored: FlowState,
  folded: FlowState,
  nameOf: (uid: string) => string,
): string[] {
  if (!isKnownState(stored))
    return [`stored as a state of format ${String(stored.format)}, which this release cannot read`];
  if (isSameState(stored, folded)) return [];
  const compare = (what: string, texts: (state: FlowState) => string): string[] => {
    const [was, is] = [texts(stored), texts(folded)];
    return was === is ? [] : [`${what}: stored (${was}), folded (${is})`];
  };
  const places = [
    ...FLAGS.flatMap((flag) => compare(flag, (state) => String(state[flag]))),
    ...uidsOf(stored.blocks, folded.blocks).flatMap((uid) =>
      compare(`block ${nameOf(uid)}`, (state) => blockText(state, uid)),
    ),
    ...uidsOf(stored.gates, folded.gates).flatMap((uid) =>
      compare(`gate ${nameOf(uid)}`, (state) => {
        const from = gateState(state, uid).map((input) => nameOf(input));
        return from.length > 0 ? `input from ${from.toSorted().join(', ')}` : 'no input';
      }),
    ),
    ...uidsOf(stored.waiting ?? {}, folded.waiting ?? {}).flatMap((uid) =>
      compare(`delay ${nameOf(uid)}`, (state) => {
        const until = waitsUntil(state, uid);
        return until === undefined ? 'over' : `until ${new Date(until).toISOString()}`;
      }),
    ),
  ];
  return places.length > 0 ? places : ['the states differ'];
}

const uidsOf = (one: object, other: object): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();

function blockText(state: FlowState, uid: string): string {
  const { active, entered, exited, transitioned = [] } = blockState(state, uid);
  const flags = [active && 'active', entered && 'entered', exited && 'exited'].filter(Boolean);
  const taken = transitioned.length > 0 ? [`took ${transitioned.toSorted().join(', ')}`] : [];
  return [...flags, ...taken].join(', ') || 'nothing';
}
