import type { BlockView } from '@waymark/client';
import { CROSS, icon, make, set } from './element.js';
import { drawRichText } from './rich-text.js';

/** A button of a block. */
export interface Action {
  /** The field with its label: it is shown where that is not empty. */
  readonly label: string;
  readonly part: string;
  readonly isMain?: boolean;
  readonly act: (view: BlockView) => (() => unknown) | undefined;
}

export const COMPLETE: Action = {
  label: 'complete-label',
  part: 'complete',
  isMain: true,
  act: ({ complete }) => complete,
};
export const DISMISS: Action = {
  label: 'dismiss-label',
  part: 'dismiss',
  act: ({ dismiss }) => dismiss,
};

/** A text field; empty where there is none. */
export const textOf = ({ fields }: BlockView, name: string): string => {
  const value: unknown = fields[name];
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? `${value}` : '';
};

/**
 * The title, the body and the buttons of a block, which stay the same elements while their texts
 * change.
 */
export interface Content {
  readonly title: HTMLElement;
  readonly body: HTMLElement;
  readonly buttons: HTMLElement;
  update(view: BlockView): void;
  /** Does what the button of that part does, if it is shown. */
  press(part: string): void;
}

let ids = 0;

export function createContent(actions: readonly Action[], heading: 'h2' | 'h3' = 'h2'): Content {
  let view: BlockView;
  let drawn: string | undefined;
  const title = make(heading, { part: 'title', class: 'title', dir: 'auto', id: `title-${++ids}` });
  const body = make('div', { part: 'body', class: 'body', dir: 'auto' });
  const made = actions.map((action) => {
    const press = (): unknown => action.act(view)?.();
    const part = `button ${action.part}`;
    const classes = action.isMain ? 'button main' : 'button';
    return {
      ...action,
      press,
      button: make('button', { type: 'button', part, class: classes, dir: 'auto', onclick: press }),
    };
  });
  const buttons = make(
    'div',
    { part: 'buttons', class: 'buttons' },
    ...made.map(({ button }) => button),
  );
  return {
    title,
    body,
    buttons,
    update(now) {
      view = now;
      title.textContent = textOf(view, 'title');
      title.hidden = title.textContent === '';
      if (drawn !== (drawn = JSON.stringify(view.fields['body']))) {
        body.replaceChildren(...drawRichText(view.fields['body']));
        body.hidden = !body.hasChildNodes();
      }
      for (const { button, label, act } of made) {
        button.textContent = textOf(view, label);
        button.hidden = button.textContent === '' || !act(view);
      }
      buttons.hidden = made.every(({ button }) => button.hidden);
    },
    press(part) {
      const one = made.find((action) => action.part === part && !action.button.hidden);
      one?.press();
    },
  };
}

/** Names an element by its title, or by a word where it has none. */
export const nameBy = (element: Element, title: HTMLElement, word: string): void =>
  set(element, {
    'aria-labelledby': title.hidden ? undefined : title.id,
    'aria-label': title.hidden ? word : undefined,
  });

export const createCross = (onclick: () => unknown): HTMLElement =>
  make('button', { type: 'button', part: 'close', class: 'icon', onclick }, icon(CROSS));
