import type { Source } from '../../src/edit/edit-views.js';
import { call, path } from '../api/call.js';
import { query } from '../router/router.js';
import { put, textValue } from '@waymark/domain/flow-files/text';
import announcement from 'flow-examples/announcement.yaml';
import boardTour from 'flow-examples/board-tour.yaml';
import firstSteps from 'flow-examples/first-steps.yaml';
import feedback from 'flow-examples/feedback.yaml';

/** What a new flow may begin as. */
const TEXTS: Readonly<Record<string, string>> = {
  announcement,
  'board-tour': boardTour,
  'first-steps': firstSteps,
  feedback,
};

const EMPTY = `flow: new-flow
name: New flow
target:
  users: all
start: welcome
blocks:
  welcome:
    type: modal
    fields:
      title: Welcome
    paths:
      complete: finish
      dismiss: finish
`;

/** The text that a new flow begins with: an example, a copy of another flow, or next to nothing. */
export async function startingPoint(environment: string, signal: AbortSignal): Promise<Source> {
  const from = query.value.get('from') ?? '';
  const copied = query.value.get('copy');
  const text = copied === null ? (TEXTS[from] ?? EMPTY) : await copyOf(environment, copied, signal);
  const identifier = query.value.get('name') ?? 'new-flow';
  // Comments for those who read the examples as files.
  const bare = text.replace(/^(#[^\n]*\n)+/, '');
  const title = query.value.get('title');
  const named = put(bare, ['flow'], identifier);
  return {
    text: title === null ? named : put(named, ['name'], textValue(title)),
    sha256: 'none',
    latest: null,
  };
}

async function copyOf(environment: string, flow: string, signal: AbortSignal): Promise<string> {
  return (await call<Source>(path`/api/${environment}/flows/${flow}/source`, { signal })).text;
}
