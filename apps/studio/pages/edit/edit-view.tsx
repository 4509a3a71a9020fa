import { useEffect, useState } from 'preact/hooks';
import { useRedraw } from '../controls/folded.js';
import { go, query, to } from '../router/router.js';
import { mayEdit } from '../session/session.js';
import { CommitDialog } from './commit-dialog.js';
import type { Editing } from './draft/editing.js';
import { DraftPicture } from './draft-picture.js';
import { FormPane } from './form/form-pane.js';
import { PreviewPane } from './preview-pane.js';
import { Problems } from './problems.js';
import { TryPane } from './try-pane.js';
import { useWanted } from './draft/use-wanted.js';
import { YamlPane } from './yaml/yaml-frame.js';

const LOOKS = { picture: 'Picture', preview: 'Preview' };
const PANES = { form: 'Form', yaml: 'YAML', play: 'Play', picture: 'Picture' };
type Look = keyof typeof LOOKS;
type Pane = keyof typeof PANES;

/** The editor: picture or preview on the left, form or text on the right, problems below. */
export function EditView({ editing, latest }: { editing: Editing; latest: number | null }) {
  const [pane, setPane] = useState<Pane>('form');
  const [look, setLook] = useState<Look>('picture');
  const { isCommitting, setCommitting, save, commit } = useSaving(editing);
  useShortcuts(editing);
  useRedraw(() => void editing.redraw());
  const side = useWanted(editing);
  // Where there is one pane at a time, the picture of a walk is looked at from there.
  useEffect(() => {
    if (pane === 'form' || pane === 'yaml') editing.tried.value = undefined;
  }, [pane, editing]);
  const isPlay = pane === 'play' || (pane === 'picture' && editing.tried.value !== undefined);
  const { environment, flow } = editing;
  return (
    <div class="edit" data-pane={pane}>
      <Head editing={editing} onSave={() => void save()} onCommit={() => void commit()} />
      <Notes editing={editing} />
      <div class="edit-panes">
        <section class="edit-look picture-box" aria-label="What the draft looks like">
          <Tabs label="What to look at" of={LOOKS} selected={look} onSelect={setLook} />
          {look === 'preview' ? (
            <PreviewPane editing={editing} isPlay={isPlay} />
          ) : (
            <div class="edit-picture">
              <DraftPicture
                editing={editing}
                onChoose={() => setPane((before) => (before === 'picture' ? 'form' : before))}
              />
            </div>
          )}
        </section>
        <section ref={side} class="edit-side card">
          <Tabs
            label="How to edit"
            of={PANES}
            selected={pane}
            onlyNarrow="picture"
            onSelect={(name) => {
              setPane(name);
              if (name === 'play') setLook('preview');
            }}
          />
          {pane === 'yaml' && <YamlPane editing={editing} />}
          {isPlay && <TryPane editing={editing} />}
          {(pane === 'form' || (pane === 'picture' && !isPlay)) && <FormPane editing={editing} />}
        </section>
      </div>
      <Problems
        editing={editing}
        isText={pane === 'yaml'}
        onLead={() => pane !== 'yaml' && setPane('form')}
      />
      {isCommitting && flow !== undefined && (
        <CommitDialog
          environment={environment}
          flow={flow}
          title={editing.source.value.value(['name']) ?? flow}
          next={(latest ?? 0) + 1}
          onClose={() => setCommitting(false)}
        />
      )}
    </div>
  );
}

/** Saves the draft, and asks about publishing it once it is saved. */
function useSaving(editing: Editing) {
  const { environment, flow } = editing;
  const [isCommitting, setCommitting] = useState(query.value.get('commit') === 'yes');
  const save = async (then = ''): Promise<string | undefined> => {
    const saved = await editing.save();
    // A flow that is new has an address of its own from now on.
    if (saved !== undefined && saved !== flow)
      go(`${to(environment, 'flows', saved, 'edit')}${then}`, { replace: true });
    return saved;
  };
  const commit = async (): Promise<void> => {
    const isStored = flow !== undefined && editing.isSaved.peek();
    if (isStored || (await save('?commit=yes')) !== undefined) setCommitting(true);
  };
  return { isCommitting, setCommitting, save, commit };
}

interface TabsProps<Name extends string> {
  label: string;
  of: Readonly<Record<Name, string>>;
  selected: Name;
  /** The tab of the pane that is beside the tabs on wide screens. */
  onlyNarrow?: Name;
  onSelect: (name: Name) => void;
}

function Tabs<Name extends string>({ label, of, selected, onlyNarrow, onSelect }: TabsProps<Name>) {
  return (
    <div class="tabs tabbed" role="tablist" aria-label={label}>
      {(Object.keys(of) as Name[]).map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          class={`tab ${name === onlyNarrow ? 'only-narrow' : ''}`}
          aria-selected={selected === name}
          onClick={() => onSelect(name)}
        >
          {of[name]}
        </button>
      ))}
    </div>
  );
}

interface HeadProps {
  editing: Editing;
  onSave: () => void;
  onCommit: () => void;
}

function Head({ editing, onSave, onCommit }: HeadProps) {
  const { source, flow, isSaved, checked, mayUndo, mayRedo } = editing;
  const hasError = checked.value?.flow === null;
  return (
    <div class="page-head">
      <div>
        <h1>{source.value.value(['name']) ?? source.value.value(['flow']) ?? 'A flow'}</h1>
        <p class="row">
          <span class="chip">draft</span>
          <span class="faint" role="status">
            {isSaved.value
              ? flow === undefined
                ? 'not saved yet'
                : 'saved'
              : 'unsaved changes, kept in this browser'}
          </span>
        </p>
      </div>
      <div class="row">
        <button
          type="button"
          onClick={() => editing.undo()}
          disabled={!mayUndo.value}
          aria-label="Undo"
        >
          ↶
        </button>
        <button
          type="button"
          onClick={() => editing.redo()}
          disabled={!mayRedo.value}
          aria-label="Redo"
        >
          ↷
        </button>
        {mayEdit.value && (
          <>
            <button
              type="button"
              onClick={onSave}
              disabled={hasError || (isSaved.value && flow !== undefined)}
            >
              Save draft
            </button>
            <button type="button" class="filled" onClick={onCommit} disabled={hasError}>
              Publish…
            </button>
          </>
        )}
      </div>
    </div>
  );
}

function Notes({ editing }: { editing: Editing }) {
  const { trouble, conflict } = editing;
  return (
    <>
      {trouble.value && (
        <p class="note bad" role="alert">
          {trouble.value}
        </p>
      )}
      {conflict.value && (
        <div class="note warn" role="alert">
          <p>
            <b>Somebody else has saved this flow meanwhile.</b> {conflict.value}
          </p>
          <div class="row">
            <button type="button" onClick={() => location.reload()}>
              Keep mine and look again
            </button>
            <button type="button" onClick={() => void editing.save({ overwrite: true })}>
              Save mine over theirs
            </button>
          </div>
        </div>
      )}
      {editing.isRestored && (
        <div class="note">
          <p>This is what you had typed and not saved.</p>
          <button type="button" onClick={() => editing.discard()}>
            Go back to what is saved
          </button>
        </div>
      )}
    </>
  );
}

/** As in every editor; in the text itself CodeMirror has them. */
function useShortcuts(editing: Editing): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isField = (event.target as Element).closest('.yaml-pane');
      if (!(event.ctrlKey || event.metaKey) || isField) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) editing.redo();
      else editing.undo();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [editing]);
}
