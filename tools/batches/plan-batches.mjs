// Which spec files run together, and in which order.
/**
 * The specs that take longest; the first waits for servers that fail over, which costs the others
 * nothing.
 */
export const FIRST = [
  'apps/blocks-api/e2e/failover.slow',
  'apps/blocks-api/e2e/attacks.slow',
  'apps/users-api/e2e/attacks.slow',
  'apps/studio/e2e/pages.slow',
  'apps/studio/e2e/dialogs.slow',
  'apps/studio/e2e/giant-texts.slow',
  'apps/waymark/e2e/up',
  'apps/waymark/e2e/every-path',
  'apps/studio/e2e/walk',
  'apps/waymark/e2e/audit',
].map((name) => `${name}.e2e-spec.ts`);

/**
 * How many files of a kind make a batch at most, so that it takes about a minute and loading is a
 * small part of that; a file is of the first kind that it matches.
 */
const KINDS = [
  [/\.slow\./, 5],
  [/\.e2e-spec\.ts$/, 14],
  [/\.int-spec\.ts$/, 16],
  [/\.spec\.ts$/, 26],
];

/** Files that take long come first and alone, the others together with their neighbours. */
export function planBatches(files) {
  const first = FIRST.filter((file) => files.includes(file));
  const rest = files.filter((file) => !first.includes(file)).sort();
  const kindOf = (file) => KINDS.find(([pattern]) => pattern.test(file));
  const byKind = KINDS.flatMap((kind) =>
    split(
      rest.filter((file) => kindOf(file) === kind),
      kind[1],
    ),
  );
  return [...first.map((file) => [file]), ...byKind];
}

/** Parts of equal length, none longer than `most`. */
function split(files, most) {
  const count = Math.ceil(files.length / most);
  const start = (part) => Math.round((part * files.length) / count);
  return Array.from({ length: count }, (_, part) => files.slice(start(part), start(part + 1)));
}
