import fc from 'fast-check';

/**
 * One seed for every run, so that a change is judged by its own faults; `FC_SEED=$RANDOM npm test`
 * looks for new ones.
 */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261) });

/**
 * How many cases a property is tried with: few where the same is tried on another server, on which
 * each statement has to work once.
 */
export const cases = (many: number): number =>
  process.env['WAYMARK_TEST_CASES'] === 'few' ? Math.ceil(many / 10) : many;

export { fc };
