import type { FlowView } from '@waymark/client';
import { make } from '../drawing/element.js';
import { dom } from '../page/dom.js';

/** What there is to say of a page. */
export interface Inspection {
  readonly live: boolean;
  readonly flows: readonly FlowView[];
  /** The active blocks, each with what it waits for. */
  readonly blocks: readonly {
    readonly name: string;
    readonly type: string;
    readonly waits: readonly string[];
  }[];
}

/** How often it is refreshed. */
const EVERY_MS = 500;

/**
 * A panel that says what is active and what waits for what, for developers (N9). Returns a function
 * that removes it.
 */
export function showPanel(inspect: () => Inspection): () => void {
  const host = dom.createElement('waymark-debug');
  // The top layer is positioned by the window, whatever the page does to its body.
  host.popover = 'manual';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const rows = make('div', { class: 'rows' });
  root.append(make('details', { open: true }, make('summary', {}, 'Waymark'), rows));
  dom.body.append(host);
  host.showPopover();
  let drawn = '';
  const draw = (): void => {
    const lines = describe(inspect());
    if (drawn === (drawn = JSON.stringify(lines))) return;
    rows.replaceChildren(
      ...lines.map(([name, text, mood]) =>
        make('div', { class: `row ${mood}` }, make('b', {}, name), make('span', {}, text)),
      ),
    );
  };
  draw();
  const timer = setInterval(draw, EVERY_MS);
  return () => {
    clearInterval(timer);
    host.remove();
  };
}

type Line = readonly [name: string, text: string, mood: '' | 'good' | 'waits'];

const NO_DATA =
  'nothing read yet: the user has not been identified by a backend, or the service cannot be reached';

function describe({ live, flows, blocks }: Inspection): Line[] {
  return [
    [
      'socket',
      live ? 'open: changes arrive by themselves' : 'closed: read every 30 s',
      live ? 'good' : 'waits',
    ],
    ...flows.map((flow): Line => [flow.name, ...stateOf(flow)]),
    ...blocks.map(({ name, type, waits }): Line =>
      waits.length > 0
        ? [name, `${type}, waits ${waits.join(', ')}`, 'waits']
        : [name, `${type}, shown`, 'good'],
    ),
  ];
}

function stateOf(flow: Inspection['flows'][number]): [string, Line[2]] {
  const { waits } = flow as { waits?: { group: string; rule: string } };
  if (waits) return [`waits for its group ${waits.group} (${waits.rule})`, 'waits'];
  if (flow.blocks.length === 0) return [NO_DATA, 'waits'];
  if (flow.finished) return ['finished', ''];
  if (flow.stopped) return ['stopped', ''];
  return flow.started ? ['in progress', 'good'] : ['not started: the user does not qualify', ''];
}

const STYLES = `
:host { all: initial; position: fixed; inset-block-end: 12px; inset-inline-start: 12px; z-index: 2147483647; color-scheme: dark; font: 12px/18px ui-monospace, Menlo, Consolas, monospace; }
details { max-inline-size: min(440px, calc(100vw - 24px)); border: 1px solid #3a3a42; border-radius: 10px; background: #16161af2; color: #d9d9e0; box-shadow: 0 8px 32px #0006; }
summary { padding: 8px 12px; cursor: pointer; font-weight: 600; color: #fff; }
summary:focus-visible { outline: 2px solid #8e8bff; border-radius: 10px; }
.rows { display: grid; gap: 6px; padding: 0 12px 12px; max-block-size: 40vh; overflow: auto; }
.row { display: grid; grid-template-columns: 10px auto; column-gap: 8px; }
.row::before { content: ''; grid-row: span 2; inline-size: 8px; block-size: 8px; margin-block-start: 5px; border-radius: 50%; background: #6c6c78; }
.good::before { background: #3fb970; }
.waits::before { background: #e0a83a; }
.row span { grid-column: 2; color: #b4b4c0; overflow-wrap: anywhere; }
b { font-weight: 600; overflow-wrap: anywhere; }
`;
