// Transitions per second of the engine alone, on flows of 20 and of 1,000 blocks: a step costs what it touches, so that
// the ratio stays near 1 (goal: at least 0.8, as P9). Usage: npm run build && node bench/engine.mjs
import { checkDefinition, compile, EMPTY_STATE, step } from '../libs/domain/dist/engine/index.js';

const SIZES = [20, 1000];
const ROUNDS = 15;
const ROUND_MS = 100;
const context = { now: 0, user: { identifier: 'u', properties: { admin: true }, createdAt: 0, updatedAt: 0 }, group: null };

/** Groups of five blocks, each leading on to the next: card, branch, webhook, gate, and a custom block that leads back. */
function define(size) {
  const blocks = [];
  const add = (id, block) => blocks.push({ id, uid: `uid-${id}`, fields: [], ...block });
  for (let group = 0; group < size / 5; group += 1) {
    const next = `card-${(group + 1) % (size / 5)}`;
    add(`card-${group}`, { type: 'card', paths: [{ names: ['complete'], to: `branch-${group}` }] });
    add(`branch-${group}`, {
      type: 'branch',
      when: 'user.properties.admin',
      paths: [
        { names: ['true'], to: `webhook-${group}` },
        { names: ['false'], to: 'finish' },
      ],
    });
    add(`webhook-${group}`, {
      type: 'webhook',
      url: 'https://a.test/',
      headers: [],
      paths: [{ names: ['default'], to: `gate-${group}` }],
    });
    add(`gate-${group}`, { type: 'gate', paths: [{ names: ['default'], to: `custom-${group}` }] });
    add(`custom-${group}`, {
      type: 'custom',
      paths: [
        { names: ['back'], to: `card-${group}` },
        { names: ['on'], to: next },
      ],
    });
  }
  return { format: 1, flow: 'bench', target: { users: 'all' }, start: ['card-0'], blocks };
}

/** Time of one kind of step in a state of this flow, in steps per second. */
function measure({ flow, state }, commands) {
  const until = performance.now() + ROUND_MS;
  const before = performance.now();
  let count = 0;
  for (let now = state; performance.now() < until;) {
    for (let turn = 0; turn < 100; turn += 1) {
      for (const command of commands) now = step(flow, now, command, context).state;
    }
    count += 100 * commands.length;
  }
  return (count / (performance.now() - before)) * 1000;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const take = (block, name) => ({ kind: 'transition', block: `uid-${block}`, names: [name] });
const there = take('card-0', 'complete');
const back = take('custom-0', 'back');
const idle = take('card-1', 'complete');
const subjects = SIZES.map((size) => {
  const flow = compile(define(size));
  return { size, flow, state: step(flow, EMPTY_STATE, { kind: 'start', force: false }, context).state };
});
const kinds = { 'a transition (card, branch, webhook, gate; and back)': [there, back], 'a transition without effect': [idle] };

for (const [kind, commands] of Object.entries(kinds)) {
  const rates = new Map(SIZES.map((size) => [size, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    // The first round warms up; then the sizes take turns, so that a busy machine slows both.
    for (const subject of subjects) {
      const rate = measure(subject, commands);
      if (round > 0) rates.get(subject.size).push(rate);
    }
  }
  console.log(`\n${kind}`);
  for (const [size, values] of rates)
    console.log(`${String(size).padStart(6)} blocks ${Math.round(median(values)).toLocaleString('en').padStart(12)} /s`);
  console.log(` ratio        ${(median(rates.get(1000)) / median(rates.get(20))).toFixed(2).padStart(11)}`);
}

const largest = define(1000);
for (const [what, work] of Object.entries({ compile, checkDefinition })) {
  const before = performance.now();
  work(largest);
  console.log(`\n${what} of 1,000 blocks ${(performance.now() - before).toFixed(1)} ms`);
}
