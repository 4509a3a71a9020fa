import { RichText, useFlow } from '@waymark/client/react';
import { another } from './waymark';

/** What flows.d.ts does not know of a flow that was added after it was generated. */
interface AnyBlock {
  name: string;
  active: boolean;
  fields: Record<string, any>;
  transitioned: Record<string, boolean>;
  transition: (name: string) => Promise<boolean>;
}

/**
 * Whatever is active in the flow that `?flow=` names, such as one that was just made: a box with a
 * button for every way out.
 */
export function AnotherFlow() {
  return another === null ? null : <Boxes name={another} />;
}

function Boxes({ name }: { name: string }) {
  const blocks = useFlow(name as 'onboarding').blocks as unknown as AnyBlock[];
  return blocks
    .filter(({ active }) => active)
    .map((block) => <Box key={block.name} block={block} />);
}

function Box({ block: { name, fields, transitioned, transition } }: { block: AnyBlock }) {
  return (
    <section aria-label={name}>
      <h2>{fields['title'] ?? name}</h2>
      <RichText value={fields['body']} />
      {Object.keys(transitioned).map((way) => (
        <button key={way} onClick={() => void transition(way)}>
          {fields[`${way}-label`] ?? way}
        </button>
      ))}
    </section>
  );
}
