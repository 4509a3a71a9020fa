interface OptionsProps {
  /** Values and their words, or names that are their own words. */
  of: Readonly<Record<string, string>> | readonly string[];
}

/** What a select offers. */
export function Options({ of }: OptionsProps) {
  const entries = Array.isArray(of) ? of.map((name: string): [string, string] => [name, name]) : Object.entries(of);
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
