/** Titles by identifier, as they come as JSON. */
export type Titles = Readonly<Record<string, string>>;

/** A block may be called as a property of every object is. */
export const titleOf = (titles: Titles, id: string): string | undefined =>
  Object.hasOwn(titles, id) ? titles[id] : undefined;

interface TitledProps {
  id: string;
  titles: Titles;
}

/** What users read as its title before the identifier, which is alone where there is none (T16). */
export function Titled({ id, titles }: TitledProps) {
  const title = titleOf(titles, id);
  if (title === undefined) return <>{id}</>;
  return (
    <>
      {title} <code class="faint small">{id}</code>
    </>
  );
}
