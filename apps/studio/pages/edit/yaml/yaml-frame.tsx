import { useEffect, useRef, useState } from 'preact/hooks';
import { Waiting } from '../../controls/loaded.js';
import type { Editing } from '../draft/editing.js';
import { completionInLine } from '../../condition/complete-path.js';
import type { YamlEditor } from './yaml-editor.js';

/**
 * The text itself. Its editor is loaded when it is first opened, and lives in a shadow root, which
 * the policy allows it.
 */
export function YamlPane({ editing }: { editing: Editing }) {
  const ref = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlEditor>(undefined);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let isGone = false;
    void import('./yaml-editor.js').then(({ openYamlEditor }) => {
      if (isGone) return;
      editing.loadNames();
      editor.current = openYamlEditor(ref.current!, editing.text.peek(), {
        onChange: (text) => editing.change(text, 'yaml'),
        onCursor: (offset) => editing.chooseAt(offset),
        complete: (before) => completionInLine(before, editing.names.peek()),
      });
      editor.current.mark(editing.checked.peek()?.problems ?? []);
      setOpen(true);
    });
    return () => {
      isGone = true;
      editor.current?.close();
    };
  }, [editing]);
  useEffect(() => editor.current?.show(editing.text.value), [editing.text.value]);
  useEffect(() => {
    if (!editing.isChecking.value) editor.current?.mark(editing.checked.value?.problems ?? []);
  }, [editing.checked.value, editing.isChecking.value]);
  return (
    <div class="yaml-pane">
      {!isOpen && <Waiting what="the editor" />}
      <div ref={ref} />
    </div>
  );
}
