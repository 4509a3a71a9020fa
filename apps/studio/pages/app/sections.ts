/** The parts of the studio, as the top bar has them. */
export const SECTIONS = [
  { name: 'flows', title: 'Flows' },
  { name: 'users', title: 'Users' },
  { name: 'operations', title: 'Operations' },
] as const;
