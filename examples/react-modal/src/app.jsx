import { useFlow } from '@dopt/react';
import { Setup } from './setup.jsx';
import { Stop } from './stop.jsx';
import { Welcome } from './welcome.jsx';

/** A page of an application with the onboarding flow of examples/flows/onboarding.yaml on it. */
export function App({ user }) {
  const [flow, { reset }] = useFlow('onboarding');
  return (
    <main>
      <section>
        <header>
          <h1>Acme</h1>
          <Stop id="onboarding.second">
            <input placeholder="Search" />
          </Stop>
        </header>
        <Stop id="onboarding.first">
          <p>{user}, this is your board.</p>
        </Stop>
      </section>
      <aside>
        <Setup />
      </aside>
      <footer>
        <span>onboarding: {describe(flow.state)}</span>
        <button onClick={() => reset()}>Start over</button>
      </footer>
      <Welcome />
    </main>
  );
}

function describe({ started, stopped, finished }) {
  if (finished) return 'finished';
  if (stopped) return 'stopped';
  return started ? 'started' : 'not started';
}
