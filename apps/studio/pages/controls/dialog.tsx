import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Doing, useDoing } from './doing.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A modal dialog of the browser's own: keeps the focus, and Escape closes it. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** What the dialog is for, beside the way out of it. */
export function DialogFoot({ onClose, children }: Pick<DialogProps, 'onClose' | 'children'>) {
  return (
    <div class="dialog-foot">
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      {children}
    </div>
  );
}

interface ConfirmProps extends Omit<DialogProps, 'wide'> {
  /** What the button says that does it. */
  button: string;
  onConfirm: () => Promise<unknown>;
}

/** Asks before something is done, and says why it could not be. */
export function Confirm({ title, button, onClose, onConfirm, children }: ConfirmProps) {
  const doing = useDoing();
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {children}
        <Doing of={doing} />
        <DialogFoot onClose={onClose}>
          <button type="button" class="filled" disabled={doing.isBusy} onClick={() => void doing.run(onConfirm)}>
            {button}
          </button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}
