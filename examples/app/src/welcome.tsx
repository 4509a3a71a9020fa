import { useEffect, useRef } from 'react';
import { RichText, useBlock } from '@waymark/client/react';

/** A modal: the rest of the page waits, and Esc dismisses it. */
export function Welcome() {
  const { active, fields, complete, dismiss } = useBlock('onboarding.welcome');
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (active && !dialog.current?.open) dialog.current?.showModal();
  }, [active]);
  if (!active) return null;
  return (
    <dialog ref={dialog} aria-labelledby="welcome" onCancel={dismiss}>
      <h2 id="welcome">{fields.title}</h2>
      <RichText value={fields.body} />
      <button onClick={complete}>{fields['complete-label']}</button>
      <button onClick={dismiss}>{fields['dismiss-label']}</button>
    </dialog>
  );
}
