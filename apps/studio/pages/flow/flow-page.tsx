import type { FlowShown } from '../../src/flows/flow-views.js';
import { call, path } from '../api/call.js';
import { Link } from '../controls/link.js';
import { Shown, useLoaded } from '../controls/loaded.js';
import { choose, query, to } from '../place/place.js';
import { PictureTab } from './picture-tab.js';
import { VersionsTab } from './versions-tab.js';

interface FlowPageProps {
  environment: string;
  flow: string;
}

const TABS = [
  { name: undefined, title: 'Picture' },
  { name: 'versions', title: 'Versions' },
] as const;

/** A flow: its picture with where users are, and its versions (T8). */
export function FlowPage({ environment, flow }: FlowPageProps) {
  const version = query.value.get('version') ?? undefined;
  const shown = useLoaded(`${environment} ${flow} ${version}`, (signal) =>
    call<FlowShown>(
      `${path`/api/${environment}/flows/${flow}`}${version === undefined ? '' : `?version=${encodeURIComponent(version)}`}`,
      { signal },
    ),
  );
  return (
    <Shown of={shown} what="the flow">
      {(value) => <FlowView environment={environment} shown={value} />}
    </Shown>
  );
}

function FlowView({ environment, shown }: { environment: string; shown: FlowShown }) {
  const tab = query.value.get('tab') ?? undefined;
  const { flow, name } = shown;
  return (
    <>
      <div class="page-head">
        <div>
          <Link to={to(environment, 'flows')} class="back">
            ← All flows
          </Link>
          <h1>{name ?? flow}</h1>
          <p class="row">
            {name !== null && <code class="faint">{flow}</code>}
            {shown.archived && <span class="chip warn">archived</span>}
            {shown.latest === null && <span class="chip">not committed</span>}
            {shown.latest !== null && shown.differs && <span class="chip accent">draft differs</span>}
          </p>
        </div>
        <VersionChoice shown={shown} />
      </div>
      <nav class="tabs tabbed" aria-label="About this flow">
        {TABS.map((one) => (
          <TabLink key={one.title} {...one} isCurrent={tab === one.name} />
        ))}
      </nav>
      {tab === 'versions' ? (
        <VersionsTab shown={shown} />
      ) : (
        <PictureTab key={shown.version} environment={environment} shown={shown} />
      )}
    </>
  );
}

function TabLink({ name, title, isCurrent }: { name: string | undefined; title: string; isCurrent: boolean }) {
  const next = new URLSearchParams(query.value);
  if (name === undefined) next.delete('tab');
  else next.set('tab', name);
  return (
    <Link to={`${location.pathname}?${next.toString()}`} current={isCurrent}>
      {title}
    </Link>
  );
}

function VersionChoice({ shown: { versions, version, latest } }: { shown: FlowShown }) {
  return (
    <label class="row">
      <span class="faint">Version</span>
      <select
        value={String(version)}
        onChange={({ currentTarget }) => choose({ version: currentTarget.value, block: undefined })}
      >
        {versions.map((one) => (
          <option key={one.version} value={String(one.version)}>
            {one.version === 0 ? 'draft' : `${one.version}${one.version === latest ? ' (latest)' : ''}`}
          </option>
        ))}
      </select>
    </label>
  );
}
