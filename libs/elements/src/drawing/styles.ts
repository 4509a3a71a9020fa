/**
 * How blocks look. Colours come from three, which applications may set; light or dark is what the
 * page's `color-scheme` says. `!important` keeps a page's rules for all elements off the hosts.
 */
export const STYLES = `
:host {
  all: initial !important; color-scheme: inherit !important;
  --accent: var(--waymark-accent, light-dark(#5b59e0, #908eff));
  --surface: var(--waymark-surface, light-dark(#fff, #1d1d22));
  --text: var(--waymark-text, light-dark(#18181d, #f1f1f4));
  --on-accent: light-dark(#fff, #15151a);
  --muted: color-mix(in oklab, var(--text) 66%, var(--surface));
  --line: color-mix(in oklab, var(--text) 12%, transparent);
  --soft: color-mix(in oklab, var(--text) 6%, transparent);
  --dim: light-dark(#14141c73, #0000008c);
  --r: var(--waymark-radius, 14px);
  --r-small: calc(var(--r) * .6);
  --shadow: 0 0 0 1px var(--line), 0 1px 3px #0000000f, 0 8px 24px -6px #0000001f, 0 24px 48px -12px #00000038;
  font: 400 14px/21px var(--waymark-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif) !important;
  color: var(--text) !important; -webkit-font-smoothing: antialiased !important; overflow-wrap: anywhere !important; text-align: start !important;
}
@supports (color: oklch(from red l c h)) {
  :host { --on-accent: oklch(from var(--accent) clamp(0, (.6 - l) * 999, 1) 0 0); }
}
:host(waymark-layer) { display: contents !important; }
:host(waymark-corner) {
  position: fixed !important; inset: auto !important; inset-block-end: 16px !important; inset-inline-end: 16px !important;
  z-index: var(--waymark-z, 2147483000) !important;
  display: flex !important; flex-direction: column !important; align-items: end !important; gap: 12px !important; pointer-events: none !important;
  inline-size: min(360px, 100vw - 32px) !important; max-block-size: calc(100dvh - 32px) !important;
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.title, .body { text-align: -webkit-match-parent; text-align: match-parent; }
.title { margin: 0; font-size: 15px; line-height: 22px; font-weight: 600; letter-spacing: -.01em; text-wrap: balance; }
.body { color: var(--muted); text-wrap: pretty; }
.title:not([hidden]) + .body { margin-block-start: 4px; }
.body > * { margin: 0; }
.body > * + * { margin-block-start: 8px; }
.body :is(h3, h4, h5) { color: var(--text); font-size: 14px; line-height: 20px; font-weight: 600; }
.body h3 { font-size: 1.08em; line-height: 23px; }
.body :is(ul, ol) { padding-inline-start: 20px; }
.body ul { list-style: disc; }
.body li + li { margin-block-start: 3px; }
.body li::marker { color: color-mix(in oklab, var(--text) 45%, transparent); }
.body strong { color: var(--text); font-weight: 600; }
.body a { color: var(--accent); text-underline-offset: 2px; text-decoration-thickness: from-font; border-radius: 3px; }
.body code { padding: 1px 5px; border-radius: 5px; background: var(--soft); color: var(--text); font: .9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.body :is(img, video) { display: block; max-inline-size: 100%; block-size: auto; border-radius: var(--r-small); }
.body p > img { margin-block: 4px; }

button { all: unset; box-sizing: border-box; cursor: pointer; -webkit-tap-highlight-color: transparent; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[tabindex='-1']:focus-visible { outline: none; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; justify-content: end; margin-block-start: 16px; }
.button {
  display: inline-flex; align-items: safe center; justify-content: center; min-block-size: 34px; max-block-size: 80px; overflow: auto; padding: 6px 13px;
  border-radius: var(--r-small); box-shadow: inset 0 0 0 1px var(--line); color: var(--text);
  font-weight: 500; line-height: 20px; text-align: center; transition: background-color .12s, opacity .12s;
}
.button:hover { background: var(--soft); }
.button.main { background: var(--accent); color: var(--on-accent); box-shadow: inset 0 1px 0 #ffffff26, 0 1px 2px #00000029; }
.button.main:hover { background: color-mix(in oklab, var(--accent) 88%, var(--text)); }
.button:active { opacity: .82; }
.icon {
  display: grid; place-items: center; flex: none; inline-size: 28px; block-size: 28px; margin-block: -3px; margin-inline: 0 -8px;
  border-radius: 8px; color: var(--muted);
}
.icon:hover { background: var(--soft); color: var(--text); }
svg { display: block; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.head { display: flex; gap: 8px; align-items: start; justify-content: space-between; }
.head .title { flex: 1; min-inline-size: 0; }
.head .title, .floats > :is(.title, .body) { max-block-size: 30dvh; overflow: auto; }
.head .icon { margin-inline-start: auto; }
.amount { color: var(--muted); font-size: 13px; line-height: 20px; font-variant-numeric: tabular-nums; white-space: nowrap; }
.scroll { min-block-size: 0; overflow: auto; overscroll-behavior: contain; }

.modal {
  margin: auto; padding: 28px; border: 0; inline-size: min(448px, 100vw - 32px); max-block-size: calc(100dvh - 32px);
  border-radius: calc(var(--r) + 4px); background: var(--surface); color: inherit; box-shadow: var(--shadow); outline: none;
}
.modal[open] { display: flex; flex-direction: column; animation: rise .24s cubic-bezier(.2, .9, .3, 1); }
.modal::backdrop { background: var(--dim); animation: fade .2s; }
.modal .title { font-size: 20px; line-height: 27px; letter-spacing: -.017em; }
.modal .body { font-size: 15px; line-height: 24px; }
.modal .title:not([hidden]) + .body { margin-block-start: 8px; }
.modal .buttons { margin-block-start: 24px; }
.modal .button { min-block-size: 38px; padding-inline: 16px; }
.modal .scroll { margin: -4px; padding: 4px; }
.in-place { position: fixed; inset: 0; block-size: fit-content; box-shadow: var(--shadow), 0 0 0 200vmax var(--dim); }

.card { position: relative; padding: 18px 20px 20px; border-radius: var(--r); background: var(--surface); box-shadow: 0 0 0 1px var(--line), 0 1px 2px #0000000a; }
.card.floats { inline-size: 100%; box-shadow: var(--shadow); pointer-events: auto; animation: rise .24s cubic-bezier(.2, .9, .3, 1); overflow: auto; flex: 0 1 auto; display: flex; flex-direction: column; }
.floats > :is(.title, .buttons) { flex: none; }
.floats > .body { min-block-size: 21px; }

.launcher {
  display: flex; flex: none; align-items: center; gap: 10px; max-inline-size: 100%; min-block-size: 44px; padding-block: 10px; padding-inline: 12px 16px;
  border-radius: 22px; background: var(--surface); box-shadow: var(--shadow); pointer-events: auto; font-weight: 500; transition: translate .15s;
}
.launcher:hover { translate: 0 -1px; }
.launcher-title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ring {
  flex: none; inline-size: 22px; block-size: 22px; border-radius: 50%;
  background: conic-gradient(var(--accent) calc(var(--done, 0) * 1turn), var(--line) 0);
  mask: radial-gradient(closest-side, #0000 calc(100% - 3.5px), #000 calc(100% - 3px));
}
.checklist { display: flex; flex-direction: column; padding-block-end: 8px; }
.checklist.floats { overflow: hidden; }
.checklist > .body { margin-block-start: 2px; }
.progress { display: flex; align-items: center; gap: 12px; margin-block: 12px 8px; }
.track { flex: 1; block-size: 6px; border-radius: 3px; background: var(--line); overflow: hidden; }
.fill { display: block; block-size: 100%; border-radius: 3px; background: var(--accent); transition: inline-size .3s cubic-bezier(.2, .9, .3, 1); }
.checklist .scroll { margin-inline: -12px; padding-inline: 4px; }
.items { margin: 0; padding: 0; list-style: none; }
.row { display: grid; grid-template-columns: 20px 1fr auto; gap: 10px; align-items: center; inline-size: 100%; padding: 8px; border-radius: var(--r-small); font-weight: 500; }
.row[aria-expanded]:hover { background: var(--soft); }
.row:focus-visible { outline-offset: -2px; }
.row:not([aria-expanded]) { cursor: default; }
.tick { display: grid; place-items: center; inline-size: 20px; block-size: 20px; border-radius: 50%; box-shadow: inset 0 0 0 1.5px color-mix(in oklab, var(--text) 30%, transparent); color: #0000; transition: background-color .2s; }
.tick svg { stroke-width: 2; }
.item:not(.done) .tick svg { visibility: hidden; }
.done .tick { background: var(--accent); color: var(--on-accent); box-shadow: none; }
.skipped .tick { background: var(--soft); color: var(--muted); }
.done .name { color: var(--muted); font-weight: 400; }
.chevron { color: var(--muted); transition: rotate .15s; }
.row[aria-expanded='true'] .chevron { rotate: 180deg; }
.more { padding-block: 0 10px; padding-inline: 38px 12px; }
.more .body { font-size: 13.5px; line-height: 20px; }
.more .buttons { justify-content: start; margin-block-start: 10px; }
.more .button { min-block-size: 30px; padding: 4px 11px; font-size: 13px; }

.cover { position: fixed; inset: 0; inline-size: 100%; block-size: 100%; max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 0; background: none; color: inherit; overflow: visible; pointer-events: none; }
.dimming { position: fixed; border-radius: 10px; box-shadow: 0 0 0 200vmax var(--dim), 0 0 0 2px color-mix(in oklab, var(--accent) 70%, transparent); animation: fade .2s; }
.popover {
  position: fixed; inset-block-start: 0; left: 0; display: flex; flex-direction: column; inline-size: max-content; max-inline-size: min(340px, 100vw - 24px); min-inline-size: min(280px, 100vw - 24px); max-block-size: calc(100dvh - 24px);
  padding-block: 16px 18px; padding-inline: 20px 18px; border-radius: var(--r); background: var(--surface); box-shadow: var(--shadow); pointer-events: auto; outline: none; animation: fade .18s;
}
.popover .scroll:has(> .body[hidden]) { display: none; }
.popover .head + .scroll { margin-block-start: 4px; }
.foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; margin-block-start: 16px; }
.foot .buttons { margin: 0; }
.popover .button { min-block-size: 32px; padding: 5px 12px; }
.arrow { position: absolute; inline-size: 12px; block-size: 12px; background: var(--surface); rotate: 45deg; border: 1px solid var(--line); border-width: 1px 0 0 1px; border-start-start-radius: 3px; }
.at-top { inset-block-start: -6.5px; }
.at-bottom { inset-block-end: -6.5px; rotate: 225deg; }
.at-left { left: -6.5px; rotate: 315deg; }
.at-right { right: -6.5px; rotate: 135deg; }

.mark { position: fixed; left: 0; inset-block-start: 0; z-index: calc(var(--waymark-z, 2147483000) - 1); display: grid; place-items: center; inline-size: 26px; block-size: 26px; border-radius: 50%; }
.mark::before { content: ''; inline-size: 12px; block-size: 12px; border-radius: 50%; background: var(--accent); box-shadow: 0 0 0 2px var(--surface), 0 1px 4px #0005; }
.mark::after { content: ''; position: absolute; inline-size: 12px; block-size: 12px; border-radius: 50%; background: var(--accent); opacity: 0; animation: pulse 2.4s ease-out infinite; }
.mark:hover::before { scale: 1.15; }
.mark[aria-expanded='true']::after { animation: none; }

@keyframes fade { from { opacity: 0; } }
@keyframes rise { from { opacity: 0; translate: 0 8px; scale: .985; } }
@keyframes pulse { 20% { opacity: .5; } 80%, to { opacity: 0; scale: 2.4; } }
@media (max-width: 480px) {
  .modal { padding: 22px; margin-block-end: 16px; }
  .modal .button, .card.floats > .buttons > .button { flex: 1 1 auto; }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after, ::backdrop { animation: none !important; transition: none !important; } }
@media (forced-colors: active) {
  .modal, .card, .popover, .launcher, .button { border: 1px solid; }
  .arrow { display: none; }
  .button.main, .done .tick { border-color: Highlight; color: Highlight; }
  .ring, .fill, .mark::before { forced-color-adjust: none; background-color: Highlight; }
  .track, .tick { border: 1px solid; }
  .dimming { outline: 3px solid Highlight; }
}
`;
