import { type ReactNode, useEffect, useRef } from 'react';
import { RichText, useBlock } from '@waymark/client/react';

type Tour = 'onboarding.tour' | 'onboarding.tour-alone';
type Name = 'onboarding.first' | 'onboarding.second' | 'onboarding.only';

/** A stop of a tour, anchored to what it explains. Esc leaves the whole tour. */
export function Stop({ tour, name, children }: { tour: Tour; name: Name; children: ReactNode }) {
  const { active, fields, next, previous } = useBlock(name);
  const { dismiss } = useBlock(tour);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [active]);
  return (
    <div className="anchor">
      {children}
      {active && (
        <div
          role="dialog"
          aria-labelledby={name}
          className="stop"
          onKeyDown={({ key }) => key === 'Escape' && dismiss()}
        >
          <h3 id={name}>{fields.title}</h3>
          <RichText value={fields.body} />
          {fields['display-index'] > 0 && (
            <button onClick={previous}>{fields['back-label']}</button>
          )}
          <button ref={button} onClick={next}>
            {fields['next-label']}
          </button>
        </div>
      )}
    </div>
  );
}
