const FLAGS = ['started', 'stopped', 'finished'] as const;

/** What is set of a state, as in `started, stopped`; `clean` where nothing is. */
export const flagsText = (state: Readonly<Record<(typeof FLAGS)[number], boolean>>): string =>
  FLAGS.filter((flag) => state[flag]).join(', ') || 'clean';
