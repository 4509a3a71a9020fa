import type { BlockView } from '@waymark/client';
import type { Rendered } from '@waymark/elements';
import './custom.css';

/** A block of the application's own: its first text, and a button for each of its transitions. */
export function drawCustom(first: BlockView, root: HTMLElement): Rendered {
  root.className = 'custom';
  const update = (view: BlockView): void => {
    const text = document.createElement('p');
    text.textContent =
      Object.values(view.fields).find((one) => typeof one === 'string') ?? view.name;
    const buttons = Object.keys(view.transitioned).map((name) => {
      const button = document.createElement('button');
      button.textContent = name;
      button.onclick = () => void view.transition(name);
      return button;
    });
    root.replaceChildren(text, ...buttons);
  };
  update(first);
  return { update };
}
