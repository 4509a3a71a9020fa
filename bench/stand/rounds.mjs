// Compares several subjects fairly on a machine that also does other work: in rounds, by their
// median.

/**
 * Measures every subject once a round, one after the other, so that other work of the machine slows
 * all of them equally. Subjects are `{ name: async (seconds) => figure }`. Returns `{ name: [figure
 * of each round] }`; an unmeasured round warms up. With `thereAndBack` each second round goes
 * backwards, so that what a subject leaves behind (WAL, a vacuum) hits both neighbours.
 */
export async function interleave(
  subjects,
  { rounds, seconds, log, thereAndBack = false },
  unit = '/s',
) {
  const rates = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const inOrder = Object.entries(subjects);
    if (thereAndBack && round % 2 === 0) inOrder.reverse();
    for (const [name, measure] of inOrder) {
      const rate = await measure(round === 0 ? Math.min(2, seconds) : seconds);
      if (round > 0) rates[name].push(rate);
    }
    const line = Object.entries(rates).map(
      ([name, list]) => `${name} ${Math.round(list.at(-1) ?? 0)}${unit}`,
    );
    log(round === 0 ? '  warmed up' : `  round ${round}: ${line.join(' · ')}`);
  }
  return rates;
}

/** The median over the rounds of the quotient within each round. */
export const ratio = (rates, against) => median(rates.map((rate, round) => rate / against[round]));

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
