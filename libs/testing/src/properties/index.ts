import fc from 'fast-check';

/** One seed for every run, so that a change is judged by its own faults; `FC_SEED=$RANDOM npm test` looks for new ones. */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261) });

export { fc };
