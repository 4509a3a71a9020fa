import { type BlockView, type FlowView, type Waymark, WaymarkError } from '@waymark/client';
import { drawCard } from './blocks/card.js';
import { drawChecklist } from './blocks/checklist.js';
import { drawHints } from './blocks/hints.js';
import { drawModal } from './blocks/modal.js';
import { drawRendered, type Renderer } from './blocks/rendered.js';
import { drawTour } from './blocks/tour.js';
import type { Context, Draw, Drawn } from './drawing/context.js';
import type { Inspection } from './debug/panel.js';
import { getPage, type Page } from './page/page.js';
import { type Words, wordsOf } from './texts/words.js';
import { dom } from './page/dom.js';

export interface ShowOptions {
  /** By the name of a block, `onboarding.survey`, else by its type, `custom`. */
  readonly renderers?: Readonly<Record<string, Renderer>> | undefined;
  /** In place of the words that are built in. */
  readonly words?: Partial<Words> | undefined;
  /**
   * Of the words that are built in, such as `de`; without it that of the texts, else that of the
   * page.
   */
  readonly language?: string | undefined;
  /** Adds a panel that says what is active and what waits for what. */
  readonly debug?: boolean | undefined;
  /** Draws modals in place and takes no focus: for a picture of a flow in a page about it. */
  readonly preview?: boolean | undefined;
}

const DRAW: Readonly<Record<string, Draw>> = {
  modal: drawModal,
  card: drawCard,
  checklist: drawChecklist,
  tour: drawTour,
  hints: drawHints,
};

/**
 * Shows every active block of the flows of a client, until the function that it returns is called.
 * For the same client it returns the same function. On a server, and in browsers that are too old,
 * it shows nothing; `onError` of the client hears of the latter.
 * @example
 * const stop = showFlows(createWaymark({ url, key, user: me.id, flows: ['onboarding'] }));
 */
export function showFlows(client: Waymark, options: ShowOptions = {}): () => void {
  if (typeof document === 'undefined') return () => {};
  if (!isSupported()) {
    client.report(new WaymarkError(TOO_OLD, { code: 'browser_too_old' }));
    return () => {};
  }
  const page = getPage();
  const known = page.stops.get(client);
  if (known) return known;
  const shown = new ShownFlows(page, client, options);
  const stop = (): void => {
    shown.stop();
    page.clients.delete(client);
    page.stops.delete(client);
    page.look();
  };
  page.clients.add(client);
  page.stops.set(client, stop);
  shown.start();
  return stop;
}

const TOO_OLD =
  'this browser is too old to show flows: it takes Chromium 123, Firefox 125, Safari 17.5 or later';

const isSupported = (): boolean =>
  'showPopover' in HTMLElement.prototype &&
  'adoptedStyleSheets' in document &&
  CSS.supports('color', 'light-dark(red, red)');

/** The flows of one client on the page. */
class ShownFlows {
  private readonly blocks = new Map<string, { view: BlockView; drawn: Drawn }>();
  private readonly views = new Map<string, FlowView>();
  private readonly said = new Set<string>();
  private ends: (() => void)[] = [];
  private stopWatching: (() => void) | undefined;

  constructor(
    private readonly page: Page,
    private readonly client: Waymark,
    private readonly options: ShowOptions,
  ) {}

  start(): void {
    const { client, options } = this;
    this.ends = client.flows.map((name) =>
      client.flow(name).subscribe((view) => {
        this.views.set(name, view);
        this.draw();
      }),
    );
    if (options.debug)
      void import('./debug/panel.js').then(({ showPanel }) => {
        this.ends.push(showPanel(() => this.inspect()));
      });
  }

  stop(): void {
    for (const end of this.ends.splice(0)) end();
    for (const { drawn } of this.blocks.values()) drawn.remove();
    this.blocks.clear();
    this.stopWatching?.();
  }

  /** Brings the page to what is active. What was left goes before anything comes. */
  private draw(): void {
    const active = [...this.views.values()].flatMap(({ blocks }) => blocks.filter(isShown));
    const names = new Set(active.map(({ name }) => name));
    for (const [name, { drawn }] of [...this.blocks]) {
      if (names.has(name)) continue;
      this.blocks.delete(name);
      drawn.remove();
    }
    for (const view of active) {
      const block = this.blocks.get(view.name);
      if (!block) this.add(view);
      else if (block.view !== view) {
        block.view = view;
        block.drawn.update(view);
      }
    }
    if (this.blocks.size === 0) this.stopWatching = void this.stopWatching?.();
    else this.stopWatching ??= this.page.watch(() => this.recheck());
  }

  private add(view: BlockView): void {
    const { renderers = {} } = this.options;
    const render = own(renderers, view.name) ?? own(renderers, view.type!);
    const draw = own(DRAW, view.type!);
    const context = this.contextOf(view.name);
    const drawn = render ? drawRendered(context, view, render) : draw?.(context, view);
    if (drawn) this.blocks.set(view.name, { view, drawn });
  }

  private recheck(): void {
    for (const { drawn } of this.blocks.values()) drawn.recheck?.();
    this.page.turn.look();
  }

  private contextOf(name: string): Context {
    const { page, client, options } = this;
    const flow = name.slice(0, name.indexOf('.'));
    const ofTexts = (): string | undefined =>
      (this.views.get(flow) as { language?: string } | undefined)?.language;
    return {
      page,
      name,
      isPreview: options.preview === true,
      language: () => ofTexts() ?? options.language,
      words: () =>
        wordsOf(options.language ?? ofTexts() ?? dom.documentElement.lang, options.words),
      rank: () => [
        [...page.clients].indexOf(client),
        (client.flows as readonly string[]).indexOf(flow),
        this.views.get(flow)!.blocks.findIndex((block) => block.name === name),
      ],
      slot: () =>
        [...page.clients].find(({ flows }) => (flows as readonly string[]).includes(flow)) ===
        client
          ? [...page.slots].find((slot) => slot.getAttribute('name') === name)
          : undefined,
      report: (code, details) => {
        if (this.said.has(details)) return;
        this.said.add(details);
        client.report(new WaymarkError(details, { code }));
      },
    };
  }

  private inspect(): Inspection {
    const { client } = this;
    return {
      live: client.live,
      flows: client.flows.map((name) => this.views.get(name)!),
      blocks: [...this.blocks.values()].map(({ view, drawn }) => ({
        name: view.name,
        type: view.type!,
        waits: drawn.waits?.() ?? [],
      })),
    };
  }
}

/** Items are drawn by what holds them. */
const isShown = ({ active, type }: BlockView): boolean => active && !type!.endsWith('Item');

const own = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;
