/** Where a reader of the log is: just behind this step (E1). */
export interface LogPosition {
  /** The transaction that wrote it, as the text of a whole number. */
  readonly place: string;
  readonly userId: string;
  readonly flow: string;
  readonly version: number;
  readonly revision: number;
}

const FIRST_USER = '00000000-0000-0000-0000-000000000000';

/** Just before everything that was written at that place. */
export const beforePlace = (place: string): LogPosition => ({ place, userId: FIRST_USER, flow: '', version: 0, revision: 0 });

/** Before everything that was ever recorded. */
export const BEGINNING = beforePlace('0');

/** As values of a statement, in the order of the log. */
export const positionValues = ({ place, userId, flow, version, revision }: LogPosition): unknown[] => [
  place,
  userId,
  flow,
  version,
  revision,
];
