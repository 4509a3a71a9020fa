import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component of a chunk of its own, loaded when it is first shown (T5). */
export function lazily<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Lazily(props: Props) {
    const [, setLoaded] = useState(known !== undefined);
    useEffect(() => {
      if (known) return;
      void load().then((module) => {
        known = module.default;
        setLoaded(true);
      });
    }, []);
    const Known = known;
    return Known ? <Known {...props} /> : null;
  };
}
