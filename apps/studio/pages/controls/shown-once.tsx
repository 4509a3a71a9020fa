import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface ShownOnceProps {
  text: string;
  onClose: () => void;
  /** What it is for, and who must not have it. */
  children: ComponentChildren;
}

/** The end of a dialog that made a key or secret, which is never shown again. */
export function ShownOnce({ text, onClose, children }: ShownOnceProps) {
  return (
    <div class="stack">
      <p>Copy it now: it is not shown here again. {children}</p>
      <pre class="wrapped" tabIndex={0} ref={focus}>
        {text}
      </pre>
      <div class="dialog-foot">
        <Copy text={text} />
        <button type="button" class="filled" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}

/**
 * The button that made it is gone, and with it the focus; on Done, the next Enter would lose what
 * is shown.
 */
const focus = (shown: HTMLElement | null): void => shown?.focus();

/** Left out where the browser lets no page write to the clipboard. */
export function Copy({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return null;
  const copy = (): Promise<void> => clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button type="button" class="tight" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
