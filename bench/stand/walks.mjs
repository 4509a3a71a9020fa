import { EMPTY_STATE, step } from '@waymark/domain/engine';

const context = {
  now: 0,
  user: { identifier: 'u', properties: {}, createdAt: 0, updatedAt: 0 },
  group: null,
};
/** Few users take names that leave a flow early. */
const EARLY = new Set(['dismiss', 'previous']);
const FEW = 0.15;

/**
 * The state of a user who went their own way through a flow, up to so many steps; the same for the
 * same number.
 */
export function walk(flow, number, mostSteps) {
  const random = randomFrom(number);
  let { state } = step(
    flow,
    EMPTY_STATE,
    { kind: 'start', force: true },
    { ...context, user: userOf(number) },
  );
  for (let left = Math.floor(random() * (mostSteps + 1)); left > 0; left--) {
    const command = choose(flow, state, random);
    if (!command) break;
    ({ state } = step(flow, state, command, { ...context, user: userOf(number) }));
  }
  return state;
}

/** Like the users of the stand, but with roles that differ. */
export const propertiesOf = (number) => ({
  plan: 'pro',
  roles: number % 2 ? ['Admin'] : ['Editor'],
  seats: number % 50,
});

const userOf = (number) => ({ ...context.user, properties: propertiesOf(number) });

function choose(flow, { blocks }, random) {
  const active = Object.keys(blocks).filter((uid) => blocks[uid].active);
  const block = active[Math.floor(random() * active.length)];
  if (block === undefined) return null;
  const { names } = flow.byUid.get(block);
  const wanted = names.filter((name) => EARLY.has(name) === random() < FEW);
  const name = (wanted.length > 0 ? wanted : names)[
    Math.floor(random() * (wanted.length || names.length))
  ];
  return { kind: 'transition', block, names: [name] };
}

/** Numbers from 0 to 1 (mulberry32). */
function randomFrom(seed) {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
