interface OptionsProps {
  /** Values and their words, or names that are their own words. */
  of: Readonly<Record<string, string>> | readonly (string | readonly [string, string])[];
}

/** The options of a select. */
export function Options({ of }: OptionsProps) {
  const entries = Array.isArray(of)
    ? (of as readonly (string | readonly [string, string])[]).map((one) =>
        typeof one === 'string' ? ([one, one] as const) : one,
      )
    : Object.entries(of);
  return (
    <>
      {entries.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </>
  );
}
