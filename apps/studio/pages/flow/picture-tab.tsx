import { useMemo } from 'preact/hooks';
import type { Block, FlowDefinition } from '@waymark/domain/engine';
import type { FlowReport } from '@waymark/domain/analysis';
import { dateWithZone } from '@waymark/domain/flow-files/text';
import type { FlowShown } from '../../src/flows/flow-views.js';
import type { PictureResult } from '../../src/reader/picture-result.js';
import { call, path } from '../api/call.js';
import { ConditionShown } from '../condition/condition-shown.js';
import { folded, useRedraw } from '../controls/folded.js';
import { Shown, Trouble, useLoaded } from '../controls/loaded.js';
import { Picture } from '../controls/picture.js';
import { titleOf, type Titles } from '../controls/titled.js';
import { countText } from '../controls/time.js';
import { choose, query } from '../router/router.js';
import { BlockContent } from './block-content.js';
import { Counting } from './counting.js';
import { Figures } from './figures.js';
import { ItemNumbers, Numbers } from './numbers.js';
import { chosenSegment, SegmentChoice } from './segment-choice.js';
import { chosenSince, SinceChoice } from './since.js';
import { type Scope, useReport } from './use-report.js';
import { AskWhy } from './ask-why.js';
import { WhoIsHere } from './who-is-here.js';

interface PictureTabProps {
  environment: string;
  shown: FlowShown;
}

/**
 * The picture with how many users are in each block, and beside it the flow in words or the block
 * that was clicked.
 */
export function PictureTab({ environment, shown }: PictureTabProps) {
  const { flow, version, definition } = shown;
  const chosen = query.value.get('block') ?? undefined;
  const block = definition.blocks.find(({ id }) => id === chosen);
  const asked = new URLSearchParams({ version: String(version), folded: folded.value });
  const picture = useLoaded(`${environment} ${flow} ${version} picture`, (signal) =>
    call<PictureResult>(`${path`/api/${environment}/flows/${flow}/picture`}?${asked}`, { signal }),
  );
  useRedraw(picture.reload);
  const scope = { environment, flow, version, since: chosenSince(), segment: chosenSegment() };
  const counted = useReport(scope);
  const report = counted.value?.report;
  const badges = useMemo(() => badgesOf(report), [report]);
  return (
    <div class={block ? 'beside of-block' : 'beside'}>
      <div class="stack">
        <div class="row">
          <SinceChoice />
          <SegmentChoice />
        </div>
        <div class="picture-box" tabIndex={0} role="region" aria-label="Picture of the flow">
          <Shown of={picture} what="the picture">
            {({ svg = '' }) => (
              <Picture
                // With the share of every path, once they are counted.
                svg={counted.value?.svg ?? svg}
                label={`The blocks of ${shown.name ?? flow} and the paths between them`}
                chosen={chosen}
                badges={badges}
                onChoose={(next) => choose({ block: next }, { replace: true })}
              />
            )}
          </Shown>
        </div>
      </div>
      <aside
        aria-label={
          block ? `Block ${titleOf(shown.titles, block.id) ?? block.id}` : 'The flow in words'
        }
      >
        {block ? (
          <BlockPane block={block} report={report} scope={scope} titles={shown.titles} />
        ) : (
          <>
            <FiguresOrProgress counted={counted} shown={shown} />
            <FlowPane shown={shown} />
            <AskWhy environment={environment} flow={flow} />
          </>
        )}
      </aside>
    </div>
  );
}

interface FiguresOrProgressProps {
  counted: ReturnType<typeof useReport>;
  shown: FlowShown;
}

function FiguresOrProgress({ counted, shown }: FiguresOrProgressProps) {
  const { value, error, sofar, reload } = counted;
  return (
    <section class="card stack">
      {value?.report ? (
        <>
          <Figures report={value.report} />
          {value.report.users === 0 && <NobodyYet shown={shown} />}
        </>
      ) : (
        error === undefined && <Counting sofar={sofar} />
      )}
      {error !== undefined && <Trouble text={error} onRetry={reload} />}
    </section>
  );
}

/**
 * Where users are who are missed here: those of the version before come only when the application
 * asks (S27).
 */
function NobodyYet({
  shown: { version, versions, latest },
}: Pick<FiguresOrProgressProps, 'shown'>) {
  const before = Math.max(0, ...versions.map((one) => one.version).filter((one) => one < version));
  const isNarrowed = chosenSince() !== '' || chosenSegment() !== '';
  if (before === 0 || version !== latest || isNarrowed) return null;
  return (
    <p class="faint small">
      Nobody has come to version {version} yet: users of earlier versions do so the next time the
      application asks.{' '}
      <button type="button" class="linklike" onClick={() => choose({ version: String(before) })}>
        Show version {before}
      </button>
    </p>
  );
}

/** Users who are in each block now, where there are any. */
function badgesOf(report: FlowReport | undefined): Readonly<Record<string, string>> {
  const there = (report?.blocks ?? []).filter(
    ({ now, container }) => now > 0 && container === undefined,
  );
  return Object.fromEntries(there.map(({ block, now }) => [block, countText(now)]));
}

function FlowPane({ shown: { definition, versions, version } }: { shown: FlowShown }) {
  const about = versions.find((one) => one.version === version);
  return (
    <section class="card stack">
      <h2>Who enters</h2>
      {definition.target.users === 'matching' ? (
        <>
          <p>Users who match:</p>
          <ConditionShown text={definition.target.when} />
        </>
      ) : (
        <p>
          {definition.target.users === 'all'
            ? 'Every user.'
            : 'Nobody by themselves: the application starts it.'}
        </p>
      )}
      <Dates of={definition} />
      {definition.goal !== undefined && <Goal condition={definition.goal} />}
      {about?.message && (
        <>
          <h3>Why this version</h3>
          <p>{about.message}</p>
        </>
      )}
      <p class="faint small">
        Click a block to see what users read in it, and where they go from there.
      </p>
    </section>
  );
}

function Goal({ condition }: { condition: string }) {
  return (
    <>
      <h3>Goal</h3>
      <p>This should come to hold for them:</p>
      <ConditionShown text={condition} />
    </>
  );
}

/** As they are written in the file, with their zone (Z8). */
function Dates({ of: { target, end } }: { of: FlowDefinition }) {
  return (
    <>
      {target.from !== undefined && <p>They enter from {dateWithZone(target.from)}.</p>}
      {target.until !== undefined && <p>They enter until {dateWithZone(target.until)}.</p>}
      {end !== undefined && (
        <p>It ends {dateWithZone(end)}: then nothing starts, and what runs is stopped.</p>
      )}
    </>
  );
}

interface BlockPaneProps {
  block: Block;
  report: FlowReport | undefined;
  scope: Scope;
  titles: Titles;
}

function BlockPane({ block, report, scope, titles }: BlockPaneProps) {
  const { now = 0, answers = [] } = report?.blocks.find((one) => one.block === block.id) ?? {};
  return (
    <section class="card stack">
      <div class="row apart">
        <h2>{titleOf(titles, block.id) ?? block.id}</h2>
        <button
          type="button"
          class="quiet tight"
          onClick={() => choose({ block: undefined }, { replace: true })}
        >
          Close
        </button>
      </div>
      <p>
        <span class="chip">{block.type}</span>
        {titleOf(titles, block.id) !== undefined && <code class="faint"> {block.id}</code>}
      </p>
      {report && <Numbers block={block.id} report={report} />}
      <BlockContent
        block={block}
        titles={titles}
        besideItem={(item) =>
          report && <ItemNumbers key={item} item={item} report={report} scope={scope} />
        }
      />
      {answers.length > 0 && (
        <p>
          Answers: {answers.map(({ key, count }) => `${key} ${countText(count)}`).join(', ')}.{' '}
          <button type="button" class="linklike" onClick={() => choose({ tab: 'funnel' })}>
            Read them
          </button>
        </p>
      )}
      {now > 0 && <WhoIsHere key={block.id} scope={scope} whom={{ block: block.id }} />}
    </section>
  );
}
