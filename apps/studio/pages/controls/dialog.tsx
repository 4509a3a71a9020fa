import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Doing, useDoing } from './doing.js';
import { Form } from './form.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
  /** Not closed by Escape, since it shows what is never shown again. */
  isKept?: boolean;
}

/**
 * The field that is filled first, else the button that does it; the cross would be closed by the
 * first space.
 */
const FIRST = ['input, select, textarea', '.filled:not(.danger)', '.dialog-foot button'];

/** A modal dialog of the browser's own: keeps the focus, and Escape closes it. */
export function Dialog({ title, onClose, children, wide = false, isKept = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    const first = FIRST.map((one) => dialog.querySelector<HTMLElement>(one)).find(Boolean);
    first?.focus();
    return () => dialog.close();
  }, []);
  // Pressed again and again, Escape closes a dialog whose cancelling was prevented.
  useEffect(() => {
    if (!isKept) return undefined;
    const stay = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') event.preventDefault();
    };
    window.addEventListener('keydown', stay);
    return () => window.removeEventListener('keydown', stay);
  }, [isKept]);
  return (
    <dialog
      ref={ref}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (!isKept) onClose();
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
      <Form onSubmit={() => doing.run(onConfirm)}>
        {children}
        <Doing of={doing} />
        <DialogFoot onClose={onClose}>
          <button type="submit" class="filled" disabled={doing.isBusy}>
            {button}
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}
