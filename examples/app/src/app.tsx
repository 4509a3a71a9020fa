import { useFlow } from '@waymark/client/react';
import { AnotherFlow } from './another-flow';
import { Checklist } from './checklist';
import { Stop } from './stop';
import { Survey } from './survey';
import { user } from './waymark';
import { Welcome } from './welcome';

/** A page of an application with the onboarding flow of examples/flows/onboarding.yaml on it. */
export function App() {
  const { started, stopped, finished, reset } = useFlow('onboarding');
  return (
    <main>
      <header>
        <h1>Acme</h1>
        <Stop tour="onboarding.tour" name="onboarding.second">
          <input type="search" aria-label="Search" placeholder="Search" />
        </Stop>
      </header>
      <Stop tour="onboarding.tour" name="onboarding.first">
        <p>{user}, this is your board.</p>
      </Stop>
      <Stop tour="onboarding.tour-alone" name="onboarding.only">
        <p>Nothing here yet.</p>
      </Stop>
      <Checklist name="onboarding.setup" />
      <Survey />
      <AnotherFlow />
      <footer>
        <span role="status">
          onboarding:{' '}
          {finished ? 'finished' : stopped ? 'stopped' : started ? 'started' : 'not started'}
        </span>
        <button onClick={reset}>Start over</button>
      </footer>
      <Welcome />
    </main>
  );
}
