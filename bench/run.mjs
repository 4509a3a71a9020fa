// Runs the comparisons of this folder and prints one table of ratios.
// Usage: npm run bench [-- name ...] [--rounds=5] [--seconds=4]
//   names: the keys of MODULES, all when none is given
// A module exports `measure({ rounds, seconds, log })`, which returns rows { id, what, against,
// ratio, goal, note? }; `ratio` is a number, or a text where the comparison has no single one.
const MODULES = {
  identify: './identify.mjs',
  engine: './engine.mjs',
  flows: './flows.mjs',
  cost: './cost.mjs',
  bill: './bill.mjs',
  identity: './identity.mjs',
  'flow-list': './flow-list.mjs',
  statements: './statements.mjs',
  live: './live.mjs',
  start: './start.mjs',
  overload: './overload.mjs',
  events: './events.mjs',
  report: './report.mjs',
  plan: './plan.mjs',
  attacks: './attacks.mjs',
  builds: './builds.mjs',
};

const options = Object.fromEntries(
  process.argv
    .slice(2)
    .filter((argument) => argument.startsWith('--'))
    .map((argument) => argument.slice(2).split('=')),
);
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = asked.filter((name) => !(name in MODULES));
if (unknown.length > 0) {
  console.error(
    `no such benchmark: ${unknown.join(', ')} (there are ${Object.keys(MODULES).join(', ')})`,
  );
  process.exit(2);
}

const settings = {
  rounds: Number(options.rounds ?? 5),
  seconds: Number(options.seconds ?? 4),
  log: (line) => console.error(line),
};
const rows = [];
for (const name of asked.length > 0 ? asked : Object.keys(MODULES)) {
  const file = new URL(MODULES[name], import.meta.url);
  settings.log(`\n${name}: ${settings.rounds} rounds of ${settings.seconds} s each`);
  const { measure } = await import(file);
  rows.push(...(await measure(settings)));
}
print(rows);

function print(list) {
  const cells = list.map(({ id, what, against, ratio, goal, note = '' }) => [
    id,
    what,
    against,
    typeof ratio === 'number' ? ratio.toFixed(2) : String(ratio),
    String(goal),
    note,
  ]);
  const table = [['id', 'what', 'against', 'ratio', 'goal', 'note'], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  const lines = table.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  console.log(`\n${lines.join('\n')}`);
}
