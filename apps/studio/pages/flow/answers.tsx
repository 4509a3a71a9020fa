import type { AnswerReport, BlockReport, FlowReport } from '@waymark/domain/analysis';
import { useState } from 'preact/hooks';
import type { AnswersShown } from '../../src/flows/flow-views.js';
import { path } from '../api/call.js';
import { Link } from '../controls/link.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { Ago, countText } from '../controls/time.js';
import { Titled, type Titles } from '../controls/titled.js';
import { to } from '../router/router.js';

interface AnswersProps {
  environment: string;
  flow: string;
  version: number;
  report: FlowReport;
  titles: Titles;
}

/** What users answered: counted by key, and one by one with who and when (Z3). */
export function Answers({ report, ...about }: AnswersProps) {
  const counted = report.blocks.flatMap(({ block, answers = [] }) =>
    answers.map((answer) => ({ block, answer })),
  );
  if (counted.length === 0) return null;
  return (
    <section class="stack close" aria-label="Answers">
      <h2>Answers</h2>
      <Table
        rows={counted}
        keyOf={({ block, answer }) => `${block} ${answer.key}`}
        columns={countedColumns(about.titles)}
      />
      {report.followed < report.users && (
        <p class="faint small">Counted from the events of {countText(report.followed)} users.</p>
      )}
      <LatestAnswers {...about} />
    </section>
  );
}

interface Counted {
  block: BlockReport['block'];
  answer: AnswerReport;
}

const countedColumns = (titles: Titles): Column<Counted>[] => [
  { title: 'Block', isHead: true, cell: ({ block }) => <Titled id={block} titles={titles} /> },
  { title: 'Key', isLong: true, cell: ({ answer }) => answer.key },
  { title: 'Given', isNumber: true, cell: ({ answer }) => countText(answer.count) },
  { title: 'Mean', isNumber: true, cell: ({ answer }) => rounded(answer.numbers?.mean) },
  { title: 'Spread', isNumber: true, cell: ({ answer }) => rounded(answer.numbers?.spread) },
  {
    title: 'Most frequent',
    isLong: true,
    cell: ({ answer: { texts = [], otherTexts = 0 } }) => (
      <div class="row">
        {texts.map(({ text, count }) => (
          <span key={text} class="chip">
            {text}: {countText(count)}
          </span>
        ))}
        {otherTexts > 0 && <span class="faint">others: {countText(otherTexts)}</span>}
      </div>
    ),
  },
];

const rounded = (number: number | undefined): string =>
  number === undefined ? '–' : String(Number(number.toPrecision(4)));

type Given = AnswersShown['answers'][number];

function LatestAnswers({ environment, flow, version, titles }: Omit<AnswersProps, 'report'>) {
  const [before, setBefore] = useState<string>();
  const asked = new URLSearchParams({ version: String(version), ...(before && { before }) });
  const loaded = useAnswer<AnswersShown>(
    `${path`/api/${environment}/flows/${flow}/answers`}?${asked.toString()}`,
  );
  return (
    <Shown of={loaded} what="the latest answers">
      {({ answers, next }) => (
        <>
          <h3>{before === undefined ? 'The latest' : 'Earlier ones'}</h3>
          <Table
            rows={answers}
            keyOf={({ at, user }) => `${at} ${user.identifier}`}
            columns={givenColumns(environment, flow, titles)}
          />
          <div class="row">
            {before !== undefined && (
              <button type="button" onClick={() => setBefore(undefined)}>
                The latest
              </button>
            )}
            {next !== undefined && (
              <button type="button" onClick={() => setBefore(next)}>
                Earlier answers
              </button>
            )}
          </div>
        </>
      )}
    </Shown>
  );
}

const givenColumns = (environment: string, flow: string, titles: Titles): Column<Given>[] => [
  {
    title: 'Who',
    isHead: true,
    cell: ({ user: { identifier, name } }) => (
      <Link to={`${to(environment, 'users', identifier)}?flow=${encodeURIComponent(flow)}`}>
        {name ?? identifier}
      </Link>
    ),
  },
  { title: 'When', isFaint: true, cell: ({ at }) => <Ago at={at} /> },
  { title: 'Block', cell: ({ block }) => <Titled id={block} titles={titles} /> },
  {
    title: 'Answer',
    isLong: true,
    cell: ({ data }) =>
      Object.entries(data).map(([key, value]) => (
        <div key={key}>
          <span class="faint">{key}</span>{' '}
          {typeof value === 'string' ? value : JSON.stringify(value)}
        </div>
      )),
  },
];
