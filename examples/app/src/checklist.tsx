import { RichText, useBlock } from '@waymark/client/react';

/** A checklist with its progress; it completes by itself when every item is done or skipped. */
export function Checklist({ name }: { name: 'onboarding.setup' }) {
  const { active, fields, items, dismiss } = useBlock(name);
  if (!active) return null;
  const done = items.filter(({ exited }) => exited).length;
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{fields.title}</h2>
      <RichText value={fields.body} />
      <progress value={done} max={items.length} aria-label={`${done} of ${items.length} done`} />
      <ul>
        {items.map((item) => (
          <li key={item.name}>
            <strong id={item.name}>{item.fields.title}</strong>
            <RichText value={item.fields.body} />
            {item.active ? (
              <>
                <button onClick={item.complete} aria-describedby={item.name}>
                  Done
                </button>
                <button onClick={item.skip} aria-describedby={item.name}>
                  Skip
                </button>
              </>
            ) : (
              <span>{item.transitioned.complete ? '✓ done' : 'skipped'}</span>
            )}
          </li>
        ))}
      </ul>
      <button onClick={dismiss}>Not now</button>
    </section>
  );
}
