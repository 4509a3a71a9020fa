import type { FlowShown } from '../../src/flows/flow-views.js';
import { call, path } from '../api/call.js';
import { Confirm } from '../controls/dialog.js';
import { lazily } from '../controls/lazily.js';
import { Link } from '../controls/link.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { Menu } from '../controls/menu.js';
import { choose, go, query, to } from '../router/router.js';
import { mayEdit } from '../session/session.js';
import { FunnelTab } from './funnel-tab.js';
import { PictureTab } from './picture-tab.js';
import { VersionsTab } from './versions-tab.js';
import { useState } from 'preact/hooks';

interface FlowPageProps {
  environment: string;
  flow: string;
}

const TABS = [
  { name: undefined, title: 'Picture' },
  { name: 'funnel', title: 'Funnel' },
  { name: 'versions', title: 'Versions' },
] as const;

/** A flow: its picture with where users are, its funnel, and its versions (T8). */
export function FlowPage({ environment, flow }: FlowPageProps) {
  const version = query.value.get('version') ?? undefined;
  const asked = version === undefined ? '' : `?version=${encodeURIComponent(version)}`;
  const shown = useAnswer<FlowShown>(`${path`/api/${environment}/flows/${flow}`}${asked}`);
  return (
    <>
      <Link to={to(environment, 'flows')} class="back">
        ← All flows
      </Link>
      <Shown of={shown} what="the flow">
        {(value) => <FlowView environment={environment} shown={value} onChange={shown.reload} />}
      </Shown>
    </>
  );
}

interface FlowViewProps {
  environment: string;
  shown: FlowShown;
  onChange: () => void;
}

function FlowView({ environment, shown, onChange }: FlowViewProps) {
  const tab = query.value.get('tab') ?? undefined;
  const { flow, version } = shown;
  return (
    <>
      <Head environment={environment} shown={shown} />
      <nav class="tabs tabbed" aria-label="About this flow">
        {TABS.map((one) => (
          <TabLink key={one.title} {...one} isCurrent={tab === one.name} />
        ))}
      </nav>
      {tab === 'versions' && (
        <VersionsTab environment={environment} shown={shown} onChange={onChange} />
      )}
      {tab === 'funnel' && (
        <FunnelTab
          environment={environment}
          flow={flow}
          version={version}
          versions={shown.versions.map((one) => one.version)}
          definition={shown.definition}
          titles={shown.titles}
        />
      )}
      {tab === undefined && <PictureTab key={version} environment={environment} shown={shown} />}
    </>
  );
}

/** The name of the flow with what is special about it, and what can be done with it. */
function Head({ environment, shown }: Omit<FlowViewProps, 'onChange'>) {
  const { flow, name, highest, archived, differs } = shown;
  const pinned = shown.pins[environment];
  return (
    <div class="page-head">
      <div>
        <h1>{name ?? flow}</h1>
        <p class="row">
          {name !== null && <code class="faint">{flow}</code>}
          {archived && <span class="chip warn">archived</span>}
          {highest === null && <span class="chip">not published</span>}
          {highest !== null && differs && <span class="chip accent">draft differs</span>}
          <ReleaseChip shown={shown} pinned={pinned} />
        </p>
      </div>
      <div class="row">
        <VersionChoice shown={shown} pinned={pinned} />
        {mayEdit.value && (
          <>
            <MoreMenu environment={environment} shown={shown} />
            <Link to={to(environment, 'flows', flow, 'edit')} class="button filled">
              {archived ? 'Edit and bring back' : 'Edit'}
            </Link>
          </>
        )}
      </div>
    </div>
  );
}

/** What `latest` is here, where that is not the newest version by itself (S34, Z10). */
function ReleaseChip({ shown, pinned }: { shown: FlowShown; pinned: number | undefined }) {
  const { highest, releasesByPin } = shown;
  if (pinned === undefined)
    return releasesByPin && highest !== null ? (
      <span class="chip warn">not released here</span>
    ) : null;
  if (!releasesByPin) return <span class="chip warn">{`held at v${pinned} here`}</span>;
  return (
    <span class={pinned === highest ? 'chip' : 'chip warn'}>{`released here: v${pinned}`}</span>
  );
}

function MoreMenu({
  environment,
  shown: { flow, name, archived, released, version },
}: {
  environment: string;
  shown: FlowShown;
}) {
  const files = path`/api/${environment}/flows/${flow}/files`;
  const asked = `?version=${version}`;
  const [isArchiving, setArchiving] = useState(false);
  const [isResetting, setResetting] = useState(false);
  return (
    <>
      <Menu label="More">
        <Link
          to={`${to(environment, 'flows', '~new', 'edit')}?copy=${encodeURIComponent(flow)}&name=${encodeURIComponent(`${flow}-copy`)}`}
          class="button"
        >
          Duplicate
        </Link>
        <Download href={`${files}/source${asked}`}>Download the file</Download>
        <Download href={`${files}/picture${asked}`}>Download the picture</Download>
        <Download href={`${files}/types${asked}`}>Types for TypeScript</Download>
        {!archived && (
          <>
            <button type="button" onClick={() => setResetting(true)}>
              Reset users…
            </button>
            <button type="button" class="danger" onClick={() => setArchiving(true)}>
              Archive…
            </button>
          </>
        )}
      </Menu>
      {isResetting && (
        <ResetUsers
          environment={environment}
          flow={flow}
          title={name ?? flow}
          version={version}
          onClose={() => setResetting(false)}
        />
      )}
      {isArchiving && (
        <Archive
          environment={environment}
          flow={flow}
          title={name ?? flow}
          released={released}
          onClose={() => setArchiving(false)}
        />
      )}
    </>
  );
}

/** Loaded when it is opened, with the editor of conditions. */
const ResetUsers = lazily(() => import('./reset-users.js'));

/** The server says what the file is called. */
function Download({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} class="button" download="">
      {children}
    </a>
  );
}

function Archive({
  environment,
  flow,
  title,
  released,
  onClose,
}: {
  environment: string;
  flow: string;
  title: string;
  released: FlowShown['released'];
  onClose: () => void;
}) {
  const places = Object.entries(released).map(([name, version]) => `version ${version} in ${name}`);
  const archive = async (): Promise<void> => {
    await call(path`/api/${environment}/flows/${flow}/archive`, { body: {} });
    go(to(environment, 'flows'));
  };
  return (
    <Confirm title={`Archive ${title}`} button="Archive" onClose={onClose} onConfirm={archive}>
      <p>
        Applications are told that there is no such flow, in every environment. Nothing is deleted:
        saving its draft brings it back, with where users were.
      </p>
      {places.length > 0 && <p class="note warn">This takes away {places.join(', ')}.</p>}
    </Confirm>
  );
}

function TabLink({
  name,
  title,
  isCurrent,
}: {
  name: string | undefined;
  title: string;
  isCurrent: boolean;
}) {
  const next = new URLSearchParams(query.value);
  if (name === undefined) next.delete('tab');
  else next.set('tab', name);
  const text = next.toString();
  return (
    <Link to={`${location.pathname}${text && `?${text}`}`} current={isCurrent}>
      {title}
    </Link>
  );
}

function VersionChoice({
  shown: { versions, version, latest, releasesByPin },
  pinned,
}: {
  shown: FlowShown;
  pinned: number | undefined;
}) {
  const held = releasesByPin ? ' (released)' : ' (held)';
  const about = pinned === undefined ? ' (latest)' : held;
  return (
    <label class="inline-field">
      <span class="faint">Version</span>
      <select
        value={String(version)}
        onChange={({ currentTarget }) => choose({ version: currentTarget.value, block: undefined })}
      >
        {versions.map((one) => (
          <option key={one.version} value={String(one.version)}>
            {one.version === 0 ? 'draft' : `${one.version}${one.version === latest ? about : ''}`}
          </option>
        ))}
      </select>
    </label>
  );
}
