import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownBlocks } from '../../src/edit/edit-views.js';
import { call, path } from '../api/call.js';
import { Trouble, useLoaded } from '../controls/loaded.js';
import type { Given, Step } from '../preview/messages.js';
import type { Editing } from './draft/editing.js';

/** Shorter than the pause that people make to look up from the keys. */
const PAUSE_MS = 120;

/**
 * The block that is edited, as its users will see it, or the flow as far as the user has clicked
 * through it (N10). A page of its own in a frame, so that nothing of the studio is in it.
 */
export function PreviewPane({ editing, isPlay }: { editing: Editing; isPlay: boolean }) {
  const [isPhone, setPhone] = useState(false);
  const [isDark, setDark] = useState(matchMedia('(prefers-color-scheme: dark)').matches);
  const looked = useBlock(editing, !isPlay);
  const shown = isPlay ? editing.tried.value?.shown : looked.shown;
  const { language } = editing;
  return (
    <div class="preview">
      <div class="row preview-looks">
        <Toggle name="Dark" isOn={isDark} onChange={setDark} />
        <Toggle name="Phone" isOn={isPhone} onChange={setPhone} />
        {shown && shown.languages.length > 0 && (
          <select
            aria-label="Language"
            value={shown.language}
            onChange={({ currentTarget }) => (language.value = currentTarget.value)}
          >
            {shown.languages.map((tag) => (
              <option key={tag}>{tag}</option>
            ))}
          </select>
        )}
      </div>
      {!isPlay && looked.error !== undefined && <Trouble text={looked.error} />}
      {shown?.blocks.length === 0 && (
        <p class="note">
          {isPlay ? 'This user sees nothing now.' : 'Users do not see this block.'}
        </p>
      )}
      <Frame
        given={shown && { shown, isDark, isPlay }}
        isPhone={isPhone}
        onStep={(step) => {
          const { steps } = editing.walk;
          steps.value = [...steps.peek(), step];
        }}
      />
    </div>
  );
}

function Toggle(props: { name: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { name, isOn, onChange } = props;
  return (
    <button type="button" class="tight" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {name}
    </button>
  );
}

/**
 * The block under the cursor, in the text as it is typed; what was shown last stays until the next
 * one is there.
 */
function useBlock(editing: Editing, isWanted: boolean) {
  const { environment, text, chosen, item, language, translated } = editing;
  const [shown, setShown] = useState<ShownBlocks>();
  const block = chosen.value ?? (language.value === undefined ? undefined : translated.value);
  const asked = {
    text: text.value,
    ...(block !== undefined && { block }),
    ...(item.value !== undefined && { item: item.value }),
    ...(language.value !== undefined && { language: language.value }),
  };
  const key = isWanted ? `show ${JSON.stringify(asked)}` : undefined;
  const loaded = useLoaded(key, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
    return call<ShownBlocks>(path`/api/${environment}/show`, { body: asked, signal });
  });
  useEffect(() => {
    if (loaded.value) setShown(loaded.value);
  }, [loaded.value]);
  return { shown, error: loaded.error };
}

interface FrameProps {
  given: Given | undefined;
  isPhone: boolean;
  onStep: (step: string) => void;
}

/** Inert while it is looked at: nothing in it takes the focus from the form. */
function Frame({ given, isPhone, onStep }: FrameProps) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent<Partial<Step> | 'ready'>): void => {
      if (origin !== location.origin || source !== ref.current?.contentWindow) return;
      if (data === 'ready') setReady(true);
      else if (typeof data.step === 'string') onStep(data.step);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  });
  useEffect(() => {
    if (isReady && given) ref.current?.contentWindow?.postMessage(given, location.origin);
  }, [isReady, given?.shown, given?.isDark, given?.isPlay]);
  useEffect(() => void ref.current?.toggleAttribute('inert', !given?.isPlay), [given?.isPlay]);
  return (
    <div class="preview-frame">
      <iframe
        ref={ref}
        class={isPhone ? 'phone' : ''}
        title="As users see it"
        src="/frames/preview"
      />
    </div>
  );
}
