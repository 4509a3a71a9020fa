/** Part of all users, counted for the whole: those with the lowest ids, which are hashes and so a fair choice. */
export interface SampleReport {
  readonly users: number;
  /** A share is off by no more than this in 95 of 100 samples; 0.01 is one percentage point. */
  readonly margin: number;
}

/** A sample of that size; shares of a half are the ones that chance moves most. */
export function sampleOf(users: number): SampleReport {
  return { users, margin: users === 0 ? 1 : Math.round((1.96 / (2 * Math.sqrt(users))) * 10_000) / 10_000 };
}
