import { type FormEvent, useState } from 'react';
import { RichText, useBlock } from '@waymark/client/react';

/** A block of one's own: what it looks like and which transitions it has is up to the flow file. */
export function Survey() {
  const { active, exited, transitioned, fields, transition } = useBlock('onboarding.survey');
  const [stars, setStars] = useState(0);
  if (exited && transitioned.answered)
    return (
      <div role="status">
        <RichText value={fields.thanks} />
      </div>
    );
  if (!active) return null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    void transition('answered');
  };
  return (
    <form onSubmit={send}>
      <fieldset>
        <legend>{fields.question}</legend>
        {Array.from({ length: fields.max }, (_, index) => index + 1).map((number) => (
          <label key={number}>
            <input
              type="radio"
              name="stars"
              required
              checked={stars === number}
              onChange={() => setStars(number)}
            />
            {number}
          </label>
        ))}
      </fieldset>
      <button>Send</button>
      <button type="button" onClick={() => transition('skipped')}>
        Skip
      </button>
    </form>
  );
}
