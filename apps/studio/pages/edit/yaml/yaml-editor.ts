import {
  autocompletion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { FileProblem } from '@waymark/domain/flow-files';
import type { Completion } from '../../condition/complete-path.js';

/** An open editor of a text. */
export interface YamlEditor {
  /** The text was changed elsewhere. */
  show(text: string): void;
  mark(problems: readonly FileProblem[]): void;
  close(): void;
}

interface EditorContext {
  onChange: (text: string) => void;
  /** Where the cursor is. */
  onCursor: (offset: number) => void;
  /** Completions for the line up to the cursor. */
  complete: (before: string) => Completion | undefined;
}

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
  {
    tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket],
    color: 'var(--faint)',
  },
]);

const theme = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    fontSize: '13px',
    maxHeight: '70vh',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-gutters': { color: 'var(--faint)', backgroundColor: 'var(--surface)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sunken)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent-text)', outlineOffset: '2px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxWidth: '90vw' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--accent-text)',
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
  },
});

/** Opens an editor below an element, in a shadow root, where its styles are no inline styles. */
export function openYamlEditor(
  below: HTMLElement,
  text: string,
  around: EditorContext,
): YamlEditor {
  const host = below.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: text, extensions: extensions(around) }),
  });
  return {
    show: (next) => {
      if (next !== view.state.doc.toString())
        view.dispatch({ changes: changeTo(view.state.doc.toString(), next) });
    },
    mark: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnosticOf(view.state, problem)),
        ),
      ),
    close: () => {
      view.destroy();
      host.remove();
    },
  };
}

const extensions = ({ onChange, onCursor, complete }: EditorContext) => [
  lineNumbers(),
  lintGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  highlightActiveLine(),
  EditorState.tabSize.of(2),
  yaml(),
  syntaxHighlighting(highlight),
  theme,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': 'The text of the flow', tabindex: '0' }),
  autocompletion({ override: [(context) => completionsAt(context, complete)], icons: false }),
  keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
  EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
    if (docChanged) onChange(state.doc.toString());
    if (selectionSet) onCursor(state.selection.main.head);
  }),
];

function completionsAt(
  { state, pos }: CompletionContext,
  complete: EditorContext['complete'],
): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const found = complete(line.text.slice(0, pos - line.from));
  // What fits was chosen already, by any part of a name.
  return found
    ? {
        from: line.from + found.from,
        options: found.choices.map((label) => ({ label })),
        filter: false,
      }
    : null;
}

/** Only what differs, so that the cursor stays where it is. */
function changeTo(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let rest = 0;
  while (
    rest < Math.min(before.length, after.length) - from &&
    before.at(-1 - rest) === after.at(-1 - rest)
  )
    rest++;
  return { from, to: before.length - rest, insert: after.slice(from, after.length - rest) };
}

function diagnosticOf(
  { doc }: EditorState,
  { line, column, severity, message }: FileProblem,
): Diagnostic {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  return { from, to: at.to, severity, message };
}
