import type { FlowDraft } from './definition.js';

/** The dates of a flow in words, as they are written (Z8): `from 2026-12-01`, `until …`, `ends …`; none for most flows. */
export const describeDates = ({ target, end }: Pick<FlowDraft, 'target' | 'end'>): string[] => [
  ...(target.from === undefined ? [] : [`from ${target.from}`]),
  ...(target.until === undefined ? [] : [`until ${target.until}`]),
  ...(end === undefined ? [] : [`ends ${end}`]),
];
