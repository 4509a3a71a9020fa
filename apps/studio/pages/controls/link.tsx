import type { ComponentChildren } from 'preact';
import { go } from '../router/router.js';

interface LinkProps {
  to: string;
  class?: string;
  current?: boolean;
  label?: string;
  children: ComponentChildren;
}

/** A link to another view, which the browser can open in a tab of its own too. */
export function Link({ to, current, label, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      href={to}
      onClick={follow}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
      class={rest.class}
    >
      {children}
    </a>
  );
}
