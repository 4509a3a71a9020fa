import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A menu of actions that are wanted less often; it closes by a choice, Escape or a click elsewhere.
 */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = ref;
      if (!current?.open) return;
      const isKey = event instanceof KeyboardEvent;
      if (isKey && event.key !== 'Escape') return;
      if (
        !isKey &&
        current.contains(event.target as Node) &&
        (event.target as Element).closest('summary')
      )
        return;
      current.open = false;
      if (isKey) current.querySelector('summary')?.focus();
    };
    document.addEventListener('click', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details class="menu" ref={ref}>
      <summary>{label}</summary>
      <div class="menu-list">{children}</div>
    </details>
  );
}
