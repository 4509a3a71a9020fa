import { useState } from 'preact/hooks';
import { MEMBERS, OWN, type Path, wordsOf, writePath } from '@waymark/domain/targeting/rows';
import type { ConditionNames, PropertyNames } from '../../src/conditions/condition-views.js';

const ANOTHER = '\n';
/** More are typed. */
const MOST_NAMES = 200;

interface PropertyChoiceProps {
  path: Path;
  names: ConditionNames;
  onChange: (path: Path) => void;
}

/** Which property of the user or the group is compared. */
export function PropertyChoice({ path, names, onChange }: PropertyChoiceProps) {
  const [isTyping, setTyping] = useState(false);
  if (isTyping)
    return (
      <input
        ref={(input) => input?.focus()}
        aria-label="Name of the property"
        placeholder="such as plan, or address.city"
        onChange={({ currentTarget: { value } }) =>
          value !== '' && onChange(['user', 'properties', ...value.split('.').filter(Boolean)])
        }
        onBlur={() => setTyping(false)}
      />
    );
  const groups: { title: string; paths: { path: Path; words: string }[] }[] = [
    { title: 'Properties of the user', paths: pathsOf('user', names) },
    { title: 'Properties of the group', paths: pathsOf('group', names) },
    { title: 'The user', paths: [...OWN] },
    { title: 'What the user did', paths: eventsOf(names) },
  ];
  const written = writePath(path);
  const isListed = groups.some(({ paths }) => paths.some((one) => writePath(one.path) === written));
  return (
    <select
      aria-label="Property"
      value={written}
      onChange={({ currentTarget: { value } }) => {
        if (value === ANOTHER) return setTyping(true);
        const found = groups
          .flatMap(({ paths }) => paths)
          .find((one) => writePath(one.path) === value);
        if (found) onChange(found.path);
      }}
    >
      {!isListed && <option value={written}>{wordsOf(path)}</option>}
      {groups
        .filter(({ paths }) => paths.length > 0)
        .map(({ title, paths }) => (
          <optgroup key={title} label={title}>
            {paths.map((one) => (
              <option key={writePath(one.path)} value={writePath(one.path)}>
                {one.words}
              </option>
            ))}
          </optgroup>
        ))}
      <option value={ANOTHER}>another property …</option>
    </select>
  );
}

const pathsOf = (root: 'user' | 'group', names: PropertyNames): { path: Path; words: string }[] =>
  names[root].slice(0, MOST_NAMES).map((steps) => {
    const path: Path = [root, 'properties', ...steps];
    return { path, words: wordsOf(path) };
  });

const eventsOf = ({ events }: ConditionNames): { path: Path; words: string }[] =>
  events.slice(0, MOST_NAMES).flatMap((name) =>
    Object.keys(MEMBERS).map((member) => {
      const path: Path = ['user', 'events', name, member];
      return { path, words: wordsOf(path) };
    }),
  );
