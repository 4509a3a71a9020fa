import { useState } from 'preact/hooks';
import { FlowText, put, remove, textValue } from '@waymark/domain/flow-files/text';
import ConditionEditor from '../condition/condition-editor.js';
import { ConditionShown } from '../condition/condition-shown.js';
import { Form } from '../controls/form.js';
import { isIdentifier } from '../controls/identifier.js';
import { Link } from '../controls/link.js';
import { mayEdit } from '../session/session.js';

interface SegmentRowsProps {
  environment: string;
  /** The file as it stands, which the rows change in its places. */
  text: string;
  /** Names of the flows that mention each segment which is stored. */
  flowsOf: ReadonlyMap<string, readonly string[]>;
  onChange: (text: string) => void;
}

/** Each segment with its condition in words, edited as rows (T15). */
export function SegmentRows({ environment, text, flowsOf, onChange }: SegmentRowsProps) {
  const source = FlowText.of(text);
  const [opened, setOpened] = useState<string>();
  if (!source.isSound)
    return <p class="note warn">This text is not valid YAML at the moment: fix it below.</p>;
  const names = source.keys(['segments']);
  const write = (name: string, when: string): void =>
    onChange(put(text, ['segments', name], textValue(when)));
  return (
    <>
      {names.length === 0 && <p>There are no segments yet.</p>}
      {names.map((name) => (
        <section key={name} class="card stack close" aria-label={`Segment ${name}`}>
          <div class="row apart">
            <h2>
              {flowsOf.has(name) ? (
                <Link to={`${location.pathname}?by=condition&when=${whenOf(name)}`}>{name}</Link>
              ) : (
                name
              )}
            </h2>
            {mayEdit.value && (
              <div class="row">
                <button
                  type="button"
                  class="tight"
                  aria-expanded={opened === name}
                  onClick={() => setOpened(opened === name ? undefined : name)}
                >
                  {opened === name ? 'Close' : 'Edit'}
                </button>
                <button
                  type="button"
                  class="tight danger"
                  onClick={() => onChange(remove(text, ['segments', name]))}
                >
                  Remove
                </button>
              </div>
            )}
          </div>
          {opened === name ? (
            <ConditionEditor
              environment={environment}
              label="Condition"
              value={source.value(['segments', name]) ?? ''}
              onChange={(when) => write(name, when)}
            />
          ) : (
            <ConditionShown text={source.value(['segments', name]) ?? ''} />
          )}
          <p class="faint small">{usedBy(flowsOf.get(name))}</p>
        </section>
      ))}
      {mayEdit.value && (
        <NewSegment
          taken={names}
          onAdd={(name) => {
            write(name, '');
            setOpened(name);
          }}
        />
      )}
    </>
  );
}

const whenOf = (segment: string): string =>
  encodeURIComponent(`segment(${JSON.stringify(segment)})`);

function usedBy(flows: readonly string[] | undefined): string {
  if (flows === undefined) return 'Not applied yet';
  return flows.length === 0 ? 'No flow mentions it' : `In ${flows.join(', ')}`;
}

function NewSegment({ taken, onAdd }: { taken: readonly string[]; onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  const isAllowed = isIdentifier(name) && !taken.includes(name);
  const add = (): void => {
    if (!isAllowed) return;
    onAdd(name);
    setName('');
  };
  return (
    <Form class="toolbar" onSubmit={add}>
      <label class="field wide">
        <span>New segment</span>
        <input
          value={name}
          placeholder="its name, such as pro-admins"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={!isAllowed}>
        Add segment
      </button>
    </Form>
  );
}
