import { useState } from 'preact/hooks';
import { Form, TextInput } from '../controls/form.js';
import { Link } from '../controls/link.js';
import { Shown } from '../controls/loaded.js';
import { to } from '../router/router.js';
import { Answer, useWhy } from '../users/why.js';

/** Why one user sees the flow, or does not (T14). */
export function AskWhy({ environment, flow }: { environment: string; flow: string }) {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const why = useWhy({ environment, user: asked, flow: asked === '' ? undefined : flow });
  return (
    <section class="card stack close" aria-label="Ask about a user">
      <h2>Does a user see it?</h2>
      <Form class="row end" onSubmit={() => setAsked(typed)}>
        <div class="grow">
          <TextInput
            label={<span class="unseen">Identifier of the user</span>}
            value={typed}
            placeholder="Identifier of a user"
            onInput={setTyped}
          />
        </div>
        <button type="submit" disabled={typed === ''}>
          Ask
        </button>
      </Form>
      {asked !== '' && (
        <Shown of={why} what="the explanation">
          {(explanation) => (
            <>
              <Answer explanation={explanation} />
              {explanation.identified && (
                <p>
                  <Link to={`${to(environment, 'users', asked)}?flow=${encodeURIComponent(flow)}`}>
                    More about {asked}
                  </Link>
                </p>
              )}
            </>
          )}
        </Shown>
      )}
    </section>
  );
}
