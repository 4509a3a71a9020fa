import type { BlockView } from '@waymark/client';
import type { Context, Draw } from '../drawing/context.js';
import { COMPLETE, createContent, createCross, nameBy, textOf } from '../drawing/content.js';
import { CHEVRON, icon, make, set, TICK } from '../drawing/element.js';
import { onEscape } from '../drawing/focus.js';
import { placeBlock, tidyCorner } from '../drawing/corner.js';
import { createLayer } from '../drawing/layer.js';
import { count } from '../texts/words.js';

const SKIP = { label: 'skip-label', part: 'skip', act: ({ skip }: BlockView) => skip };

const isDone = ({ transitioned }: BlockView): boolean =>
  transitioned['complete'] === true || transitioned['skip'] === true;

/** A list in its slot, else behind a button in a corner of the window that shows the progress. */
export const drawChecklist: Draw = (context, first) => {
  const layer = createLayer(context);
  let view = first;
  let isOpen = context.isPreview;

  const panel = createPanel(context, () => view.dismiss?.());
  const launcher = createLauncher(context, () => open(!isOpen));
  layer.append(panel.element, launcher.button);
  const open = (next: boolean): void => {
    const hadFocus = layer.hasFocus();
    isOpen = next;
    recheck();
    if (!isOpen && hadFocus) launcher.button.focus();
  };
  const stopListening = onEscape(layer.host, () => isOpen && open(false));

  const recheck = (): void => {
    const slot = placeBlock(layer, context);
    launcher.button.hidden = !!slot;
    set(launcher.button, { 'aria-expanded': String(isOpen) });
    panel.element.hidden = !slot && !isOpen;
    panel.element.classList.toggle('floats', !slot);
  };
  const update = (now: BlockView): void => {
    view = now;
    const done = view.items.filter(isDone).length;
    const progress = count(context.words().progress, done, view.items.length);
    panel.update(view, done, progress);
    launcher.update(view, done, progress);
  };
  update(first);
  recheck();
  return {
    update,
    recheck: recheck,
    remove() {
      stopListening();
      layer.remove();
      tidyCorner();
    },
  };
};

/** The list with its title and progress. */
function createPanel(context: Context, onDismiss: () => unknown) {
  const { words } = context;
  const content = createContent([]);
  const cross = createCross(onDismiss);
  const bar = createProgressBar();
  const list = make('ul', { part: 'items', class: 'items' });
  const updateItems = createItems(list, context);
  const element = make(
    'section',
    { part: 'checklist', class: 'checklist card' },
    make('div', { class: 'head' }, content.title, cross),
    content.body,
    bar.element,
    make('div', { class: 'scroll' }, list),
  );
  return {
    element,
    update(view: BlockView, done: number, progress: string): void {
      content.update(view);
      nameBy(element, content.title, words().checklist);
      set(cross, { 'aria-label': words().close });
      cross.hidden = !view.dismiss;
      bar.update(done, view.items.length, progress);
      updateItems(view.items);
    },
  };
}

/** The button that opens the list, with the progress in numbers and as a ring. */
function createLauncher({ words }: Context, onclick: () => void) {
  const ring = make('span', { class: 'ring', 'aria-hidden': 'true' });
  const label = make('span', { class: 'launcher-title', dir: 'auto' });
  const amount = make('span', { class: 'amount', dir: 'auto', 'aria-hidden': 'true' });
  const spoken = make('span', { class: 'unseen' });
  const attributes = { type: 'button', part: 'launcher', class: 'launcher' };
  return {
    button: make('button', { ...attributes, onclick }, ring, label, amount, spoken),
    update(view: BlockView, done: number, progress: string): void {
      ring.style.setProperty('--done', `${done / (view.items.length || 1)}`);
      label.textContent = textOf(view, 'title') || words().checklist;
      amount.textContent = `${done}/${view.items.length}`;
      spoken.textContent = progress;
    },
  };
}

function createProgressBar() {
  const fill = make('span', { part: 'progress-fill', class: 'fill' });
  const track = make('div', { part: 'progress', class: 'track', role: 'progressbar' }, fill);
  const words = make('span', { class: 'amount', dir: 'auto', 'aria-hidden': 'true' });
  return {
    element: make('div', { class: 'progress' }, track, words),
    update(done: number, of: number, text: string): void {
      set(track, {
        'aria-valuemin': 0,
        'aria-valuenow': done,
        'aria-valuemax': of,
        'aria-valuetext': text,
        'aria-label': text,
      });
      fill.style.inlineSize = `${(100 * done) / (of || 1)}%`;
      words.textContent = text;
    },
  };
}

/**
 * The items, of which one is unfolded: the first that is not done, until the user unfolds another
 * one.
 */
function createItems(list: HTMLElement, context: Context): (items: readonly BlockView[]) => void {
  const rows = new Map<string, ReturnType<typeof createItem>>();
  let views: readonly BlockView[] = [];
  let chosen: string | undefined;
  const draw = (): void => {
    const open = chosen ?? views.find((item) => !isDone(item))?.name;
    for (const view of views) rows.get(view.name)!.update(view, view.name === open);
  };
  return (items) => {
    // When the unfolded item is done, the next one unfolds.
    if (items.some((item) => item.name === chosen && isDone(item))) chosen = undefined;
    views = items;
    for (const { name } of items) {
      if (rows.has(name)) continue;
      const row = createItem(context, () => {
        chosen = row.isOpen() ? '' : name;
        draw();
      });
      rows.set(name, row);
    }
    const wanted = items.map(({ name }) => rows.get(name)!.row);
    if (wanted.some((row, index) => list.children[index] !== row)) list.replaceChildren(...wanted);
    draw();
  };
}

function createItem({ words }: Context, onToggle: () => void) {
  const content = createContent([COMPLETE, SKIP], 'h3');
  const state = make('span', { class: 'unseen' });
  const tick = make('span', { part: 'tick', class: 'tick', 'aria-hidden': 'true' }, icon(TICK));
  const name = make('span', { class: 'name', dir: 'auto' });
  const chevron = make('span', { class: 'chevron' }, icon(CHEVRON));
  const head = make(
    'button',
    { type: 'button', class: 'row', onclick: onToggle },
    tick,
    make('span', {}, name, state),
    chevron,
  );
  const more = make('div', { class: 'more' }, content.body, content.buttons);
  const row = make('li', { part: 'item', class: 'item' }, head, more);
  return {
    row,
    isOpen: () => !more.hidden,
    update(view: BlockView, isUnfolded: boolean): void {
      content.update(view);
      const skipped = view.transitioned['skip'] === true && !view.transitioned['complete'];
      const has = !content.body.hidden || (view.active && !content.buttons.hidden);
      content.buttons.hidden ||= !view.active;
      name.textContent = textOf(view, 'title') || view.name.split('.').at(-1)!;
      state.textContent = isDone(view) ? (skipped ? words().skipped : words().done) : '';
      row.classList.toggle('done', isDone(view));
      row.classList.toggle('skipped', skipped);
      more.hidden = !isUnfolded || !has;
      chevron.hidden = !has;
      set(head, { 'aria-expanded': has ? String(!more.hidden) : undefined });
    },
  };
}
