import { environments, me, trouble } from '../session/session.js';
import { go, parts, to } from '../place/place.js';
import { Doorstep } from './doorstep.js';
import { TopBar } from './top-bar.js';
import { View } from './view.js';
import { Trouble, Waiting } from '../controls/loaded.js';
import { useEffect } from 'preact/hooks';

/** The studio: who is here, then the view that the address names. */
export function App() {
  if (me.value === undefined) return trouble.value ? <Doorstep /> : <Waiting what="the studio" />;
  if (!me.value.role || me.value.role === 'nobody') return <Doorstep />;
  return <Inside />;
}

function Inside() {
  const [environment] = parts.value;
  const isKnown = environment !== undefined && environments.value.includes(environment);
  useEffect(() => {
    if (environment === undefined) go(to(environments.value[0] ?? 'development', 'flows'), { replace: true });
  }, [environment]);
  if (environment === undefined) return null;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <TopBar environment={isKnown ? environment : environments.value[0]!} />
      <main id="main" tabIndex={-1}>
        {trouble.value && (
          <p class="note bad" role="alert">
            {trouble.value}
          </p>
        )}
        {isKnown ? <View environment={environment} /> : <Trouble text={`There is no environment “${environment}”.`} />}
      </main>
    </>
  );
}
