// P9, the engine's part: a step costs what it touches, so that a transition on a flow of 1,000
// blocks costs what it does on one of 20. Runs with the others, or alone: node tools/build.mjs
// domain && node bench/engine.mjs
import { fileURLToPath } from 'node:url';
import { compile, EMPTY_STATE, step } from '../libs/domain/dist/engine/index.js';
import { interleave, median, ratio } from './stand/rounds.mjs';

const context = {
  now: 0,
  user: { identifier: 'u', properties: { admin: true }, createdAt: 0, updatedAt: 0 },
  group: null,
};
const take = (block, name) => ({ kind: 'transition', block: `uid-${block}`, names: [name] });

/** Through card, branch, webhook and gate to a custom block, and back again. */
const THERE_AND_BACK = [take('card-0', 'complete'), take('custom-0', 'back')];
const IDLE = [take('card-1', 'complete')];

export async function measure(settings) {
  const [small, large] = [20, 1000].map(openFlow);
  const rates = await interleave(
    {
      small: stepRate(small, THERE_AND_BACK),
      large: stepRate(large, THERE_AND_BACK),
      smallIdle: stepRate(small, IDLE),
      largeIdle: stepRate(large, IDLE),
    },
    settings,
  );
  const row = (what, of, against) => ({
    id: 'P9',
    what,
    against: 'the same, 20 blocks',
    goal: 0.8,
    ratio: ratio(rates[of], rates[against]),
    note: `${Math.round(median(rates[of]))}/s against ${Math.round(median(rates[against]))}/s`,
  });
  return [
    row('engine: transition, 1,000 blocks', 'large', 'small'),
    row('engine: without effect', 'largeIdle', 'smallIdle'),
  ];
}

/** Steps per second, one after the other, from the state after a start. */
const stepRate =
  ({ flow, state }, commands) =>
  async (seconds) => {
    const before = performance.now();
    let steps = 0;
    for (
      let now = state;
      performance.now() - before < seconds * 1000;
      steps += 100 * commands.length
    ) {
      for (let turn = 0; turn < 100; turn += 1)
        for (const command of commands) now = step(flow, now, command, context).state;
    }
    return (steps / (performance.now() - before)) * 1000;
  };

function openFlow(size) {
  const groups = Array.from({ length: size / 5 }, (_, group) =>
    defineGroup(group, (group + 1) % (size / 5)),
  ).flat();
  const blocks = groups.map((block) => ({ uid: `uid-${block.id}`, fields: [], ...block }));
  const flow = compile({
    format: 1,
    flow: 'bench',
    target: { users: 'all' },
    start: ['card-0'],
    blocks,
  });
  return { flow, state: step(flow, EMPTY_STATE, { kind: 'start', force: false }, context).state };
}

function defineGroup(group, next) {
  const path = (name, to) => ({ names: [name], to });
  return [
    { id: `card-${group}`, type: 'card', paths: [path('complete', `branch-${group}`)] },
    {
      id: `branch-${group}`,
      type: 'branch',
      when: 'user.properties.admin',
      paths: [path('true', `webhook-${group}`), path('false', 'finish')],
    },
    {
      id: `webhook-${group}`,
      type: 'webhook',
      url: 'https://a.test/',
      headers: [],
      paths: [path('default', `gate-${group}`)],
    },
    { id: `gate-${group}`, type: 'gate', paths: [path('default', `custom-${group}`)] },
    {
      id: `custom-${group}`,
      type: 'custom',
      paths: [path('back', `card-${group}`), path('on', `card-${next}`)],
    },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, ratio: quotient, note } of await measure({
    rounds: 9,
    seconds: 0.2,
    log: () => {},
  })) {
    console.log(`${what.padEnd(34)} ${quotient.toFixed(2)} of the same on 20 blocks   ${note}`);
  }
}
