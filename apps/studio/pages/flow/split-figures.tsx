import type { Block, FlowDefinition } from '@waymark/domain/engine';
import type {
  ShareDifference,
  ShareEstimate,
  SplitReport,
  WayReport,
} from '@waymark/domain/analysis';
import { useState } from 'preact/hooks';
import { sentence } from '../api/call.js';
import { Shown } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { countText, lengthText } from '../controls/time.js';
import { Options } from '../controls/options.js';
import { Titled, titleOf, type Titles } from '../controls/titled.js';
import { type Scope, useSplit } from './use-report.js';

interface SplitsProps {
  definition: FlowDefinition;
  titles: Titles;
  scope: Scope;
}

/** Which way of each split works better (K3). */
export function Splits({ definition, titles, scope }: SplitsProps) {
  const splits = definition.blocks.filter(({ type }) => type === 'split');
  const paths = definition.blocks.flatMap((block) => pathsOf(block, titles));
  const own = definition.goal === undefined ? 'finishing the flow' : 'the goal of the flow';
  return (
    <>
      {splits.map(({ uid, id }) => (
        <SplitFigures key={uid} split={id} paths={paths} own={own} titles={titles} scope={scope} />
      ))}
    </>
  );
}

const AUTOMATIC = ['branch', 'split', 'gate', 'delay', 'webhook', 'flow-trigger'];

/** A path that users take, as `block.name`, and what people call it. */
type PathChoice = readonly [path: string, words: string];

const pathsOf = (block: Block, titles: Titles): PathChoice[] =>
  AUTOMATIC.includes(block.type)
    ? []
    : [...new Set(block.paths.flatMap(({ names }) => names))].map((name) => [
        `${block.id}.${name}`,
        `${titleOf(titles, block.id) ?? block.id}: ${name}`,
      ]);

interface SplitFiguresProps {
  split: string;
  paths: readonly PathChoice[];
  /** What counts where no path is chosen. */
  own: string;
  titles: Titles;
  scope: Scope;
}

function SplitFigures({ split, paths, own, titles, scope }: SplitFiguresProps) {
  const [goalPath, setGoalPath] = useState('');
  const counted = useSplit(scope, { split, ...(goalPath && { goalPath }) });
  return (
    <section class="stack close" aria-label={`Ways of ${split}`}>
      <h2>
        Ways of <Titled id={split} titles={titles} />
      </h2>
      <label class="inline-field">
        <span class="faint">Compared by</span>
        <select value={goalPath} onChange={({ currentTarget }) => setGoalPath(currentTarget.value)}>
          <option value="">{own}</option>
          <Options of={paths} />
        </select>
      </label>
      <Shown of={counted} what="the ways">
        {(report) => <Ways report={report} />}
      </Shown>
    </section>
  );
}

function Ways({ report }: { report: SplitReport }) {
  const { ways, sampleRatio, notes } = report;
  return (
    <>
      {sampleRatio?.isSuspicious && (
        <p class="note warn" role="alert">
          The {countText(sampleRatio.people)} users who came since version {sampleRatio.since} are
          not spread as the shares say, and chance hardly explains it (p under 0.001). Something
          else decides who comes along, so do not trust the comparison.
        </p>
      )}
      <Table rows={ways} keyOf={({ way }) => way} columns={columnsOf(report)} />
      {notes.map((note) => (
        <p key={note} class="faint small">
          {sentence(note)}
        </p>
      ))}
    </>
  );
}

const columnsOf = ({ ways, goal, outcome }: SplitReport): Column<WayReport>[] => {
  const all = ways.reduce((sum, { share }) => sum + (share ?? 0), 0);
  return [
    { title: 'Way', isHead: true, cell: ({ way }) => way },
    {
      title: 'Share',
      isNumber: true,
      isFaint: true,
      cell: ({ share }) => (share === null ? 'gone' : percent(share / all)),
    },
    { title: 'Users', isNumber: true, cell: ({ people }) => countText(people) },
    { title: 'Finished', isNumber: true, cell: ({ finished }) => <Estimate of={finished} /> },
    ...(goal === null
      ? []
      : [
          {
            title: 'Goal',
            isNumber: true,
            cell: ({ goal: reached }: WayReport) => reached && <Estimate of={reached} />,
          },
        ]),
    ...(goal && 'path' in goal
      ? [
          {
            title: 'Median time',
            isNumber: true,
            isFaint: true,
            cell: ({ goal: reached }: WayReport) =>
              typeof reached?.seconds === 'number' ? lengthText(reached.seconds) : '–',
          },
        ]
      : []),
    {
      title: `Compared with ${ways[0]?.way}, ${outcome === 'goal' ? 'goal' : 'finished'}`,
      isLong: true,
      cell: ({ difference }) => (difference ? <Difference of={difference} /> : '–'),
    },
  ];
};

function Estimate({ of: { people, share, low, high } }: { of: ShareEstimate }) {
  return (
    <>
      {countText(people)}{' '}
      {share !== null && (
        <span class="faint">
          {percent(share)} ({points(low!)} to {points(high!)})
        </span>
      )}
    </>
  );
}

const VERDICTS: Readonly<Record<ShareDifference['verdict'], string>> = {
  higher: 'higher',
  lower: 'lower',
  open: 'chance alone may explain it',
  'too-few': 'fewer than 100 users a way, too few to tell',
};

const CHIPS: Readonly<Record<ShareDifference['verdict'], string>> = {
  higher: 'chip good',
  lower: 'chip warn',
  open: 'chip',
  'too-few': 'chip',
};

function Difference({ of: { share, low, high, verdict } }: { of: ShareDifference }) {
  return (
    <>
      {share !== null && (
        <>
          {share < 0 ? '' : '+'}
          {points(share)} points{' '}
          <span class="faint">
            ({points(low!)} to {points(high!)})
          </span>{' '}
        </>
      )}
      <span class={CHIPS[verdict]}>{VERDICTS[verdict]}</span>
    </>
  );
}

const points = (share: number): string => (share * 100).toFixed(1);
const percent = (share: number): string => `${points(share)} %`;
