import { type ReactNode, useEffect, useRef } from 'react';
import { RichText, useBlock } from '@waymark/client/react';

type Name = 'onboarding.first' | 'onboarding.second' | 'onboarding.only';

/** A stop of a tour, anchored to what it tells about. Esc goes on, since a stop has no way out of its own. */
export function Stop({ name, children }: { name: Name; children: ReactNode }) {
  const { active, fields, next, previous } = useBlock(name);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [active]);
  return (
    <div className="anchor">
      {children}
      {active && (
        <div role="dialog" aria-labelledby={name} className="stop" onKeyDown={({ key }) => key === 'Escape' && next()}>
          <h3 id={name}>{fields.title}</h3>
          <RichText value={fields.body} />
          <button onClick={previous}>Back</button>
          <button ref={button} onClick={next}>
            Next
          </button>
        </div>
      )}
    </div>
  );
}
