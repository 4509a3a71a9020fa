import { useEffect, useMemo } from 'preact/hooks';
import type { Source, Vocabulary } from '../../src/edit/edit-views.js';
import { call, path } from '../api/call.js';
import { Link } from '../controls/link.js';
import { Shown, useLoaded } from '../controls/loaded.js';
import { guardLeaving, to } from '../router/router.js';
import { EditView } from './edit-view.js';
import { Editing } from './draft/editing.js';
import { startingPoint } from './starting-points.js';

interface EditPageProps {
  environment: string;
  /** Undefined for a new one. */
  flow: string | undefined;
}

/**
 * Changes a flow, by form or by its text (T9). A chunk of its own: people who only look at flows do
 * not load it.
 */
export default function EditPage({ environment, flow }: EditPageProps) {
  const loaded = useLoaded(`edit ${environment} ${flow}`, async (signal) => {
    const [source, vocabulary] = await Promise.all([
      flow === undefined
        ? startingPoint(environment, signal)
        : call<Source>(path`/api/${environment}/flows/${flow}/source`, { signal }),
      call<Vocabulary>(path`/api/${environment}/vocabulary`, { signal }),
    ]);
    return { source, vocabulary };
  });
  return (
    <>
      <Link
        to={flow === undefined ? to(environment, 'flows') : to(environment, 'flows', flow)}
        class="back"
      >
        ← {flow === undefined ? 'All flows' : 'The flow'}
      </Link>
      <Shown of={loaded} what="the draft">
        {({ source, vocabulary }) => (
          <Opened environment={environment} flow={flow} source={source} vocabulary={vocabulary} />
        )}
      </Shown>
    </>
  );
}

function Opened({
  environment,
  flow,
  source,
  vocabulary,
}: EditPageProps & { source: Source; vocabulary: Vocabulary }) {
  const editing = useMemo(
    () => new Editing(environment, flow, source, vocabulary),
    [environment, flow, source],
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (!editing.isSaved.peek()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    // Within the studio nothing is lost: the text waits in this browser.
    const undo = guardLeaving(() => true);
    return () => {
      window.removeEventListener('beforeunload', ask);
      undo();
    };
  }, [editing]);
  return <EditView editing={editing} latest={source.latest} />;
}
