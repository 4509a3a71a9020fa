import { environments, me, trouble } from '../session/session.js';
import { go, parts, to } from '../router/router.js';
import { SignInPage } from './sign-in-page.js';
import { TopBar } from './top-bar.js';
import { View } from './view.js';
import { Trouble, Waiting } from '../controls/loaded.js';
import { useEffect, useLayoutEffect } from 'preact/hooks';

/** The studio: who is here, then the view that the address names. */
export function App() {
  if (me.value === undefined) return trouble.value ? <SignInPage /> : <Waiting what="the studio" />;
  if (!me.value.role || me.value.role === 'nobody') return <SignInPage />;
  return <Inside />;
}

/** `/` goes to the search of the page, or to that of all flows (T19). */
function searchBySlash(event: KeyboardEvent): void {
  const isTyping = (event.target as Element).closest('input, textarea, select, dialog, .cm-editor');
  const isOther = event.ctrlKey || event.metaKey || event.altKey;
  // The editor of texts lives in a shadow root, of which only the host is seen here.
  if (event.key !== '/' || isTyping || isOther || (event.target as Element).shadowRoot) return;
  event.preventDefault();
  const search = () => document.querySelector<HTMLElement>('main input[type=search]');
  if (!search()) go(to(parts.value[0] ?? environments.value[0]!, 'flows'));
  // Shown by the next rendering.
  requestAnimationFrame(() => search()?.focus());
}

function Inside() {
  // With the first rendering: a user may press it as soon as the page shows.
  useLayoutEffect(() => {
    document.addEventListener('keydown', searchBySlash);
    return () => document.removeEventListener('keydown', searchBySlash);
  }, []);
  const [environment] = parts.value;
  const isKnown = environment !== undefined && environments.value.includes(environment);
  useEffect(() => {
    if (environment === undefined)
      go(to(environments.value[0] ?? 'development', 'flows'), { replace: true });
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
        {isKnown ? (
          <View environment={environment} />
        ) : (
          <Trouble text={`There is no environment “${environment}”.`} />
        )}
      </main>
    </>
  );
}
