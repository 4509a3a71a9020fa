/** What a page gets of a row: JSON has texts for times. */
export type JsonRow<Row> = {
  [Key in keyof Row]: Row[Key] extends Date
    ? string
    : Row[Key] extends Date | null
      ? string | null
      : Row[Key];
};
