import type { FlowDraft } from './definition.js';

/**
 * The dates of a flow in words, with the zone that they are in (Z8): `from 2026-12-01 UTC`, `until
 * …`, `ends …`; none for most flows.
 */
export const describeDates = ({ target, end }: Pick<FlowDraft, 'target' | 'end'>): string[] => [
  ...(target.from === undefined ? [] : [`from ${dateWithZone(target.from)}`]),
  ...(target.until === undefined ? [] : [`until ${dateWithZone(target.until)}`]),
  ...(end === undefined ? [] : [`ends ${dateWithZone(end)}`]),
];

/** A date of a flow file as it is written; with UTC where it names no zone (Z8). */
export const dateWithZone = (date: string): string =>
  /[T ].*(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(date) ? date : `${date} UTC`;
