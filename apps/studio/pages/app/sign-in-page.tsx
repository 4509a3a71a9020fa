import icon from '../icon.svg';
import { query } from '../router/router.js';
import { leave, me, trouble } from '../session/session.js';

/** What people see who are not let in: why, and what to do. */
export function SignInPage() {
  const { access = 'token', person = null } = me.value ?? {};
  return (
    <main class="sign-in">
      <img src={icon} alt="" width="48" height="48" />
      <h1>Waymark studio</h1>
      {trouble.value && (
        <p class="note bad" role="alert">
          {trouble.value}
        </p>
      )}
      {person ? <Stranger name={person.name} /> : access === 'oidc' ? <SignIn /> : <Printed />}
    </main>
  );
}

function Stranger({ name }: { name: string }) {
  return (
    <>
      <p>
        You are signed in as <b>{name}</b>, and nobody has let you into this studio yet. Ask an
        administrator to add you to <code>STUDIO_EDITORS</code> or <code>STUDIO_VIEWERS</code>.
      </p>
      <button type="button" onClick={() => void leave()}>
        Sign out
      </button>
    </>
  );
}

function SignIn() {
  return (
    <>
      {query.value.has('signed-out') && (
        <p>
          You are signed out of the studio. Your sign-in provider may still know you: on a computer
          that others use, sign out there too.
        </p>
      )}
      <a class="button filled" href="/login">
        Sign in
      </a>
    </>
  );
}

function Printed() {
  return (
    <>
      <p>
        Open the address that <code>waymark studio</code> or <code>npm start</code> has printed: it
        lets you in for twelve hours, until the studio is started again.
      </p>
      <p class="faint">Nothing you have typed is lost; unsaved flows wait in this browser.</p>
    </>
  );
}
