import type { Cause, Change, FlowState } from '@waymark/domain/engine';
import type { History, HistoryOptions } from '@waymark/domain/states';
import type { Command } from '../command-line/command.js';
import { parseLimit, parseNumber } from '../command-line/arguments.js';
import type { Session } from '../command-line/session.js';
import { flagsText } from '../output/plain-text.js';
import { table } from '../output/table.js';

export function addHistoryCommand(program: Command): void {
  program
    .command('history <user> <flow>')
    .description('the recorded events of a state, or the state as it was')
    .option(
      '--version <number>',
      'the version; the highest in which the user has a state without it',
      parseNumber,
    )
    .option('--at <revision>', 'the state as it was after that revision', parseNumber)
    .option('--before <revision>', 'only events before that revision', parseNumber)
    .option('--limit <number>', 'the newest events, so many at most', parseLimit, 1_000)
    .operation(async (session, user: string, flow: string, options: HistoryArguments) => {
      const { identifiersOf } = await import('@waymark/domain/engine');
      const { loadHistory, loadStateAt } = await import('@waymark/domain/states');
      const { loadFlowVersion } = await import('@waymark/domain/flows');
      const { dataSource, environmentId } = await session.openEnvironment();
      const { manager } = dataSource;
      const namesOf = async (version: number) =>
        identifiersOf((await loadFlowVersion(manager, flow, version)).definition);
      const { at, ...page } = options;
      if (at !== undefined) {
        const found = await loadStateAt(manager, environmentId, user, flow, { ...options, at });
        const text = stateText({ ...found, revision: at }, await namesOf(found.version));
        return session.print({ ...found, revision: at }, text);
      }
      const history = await loadHistory(manager, environmentId, user, flow, page);
      session.printOf(history, eventsText(session, history, await namesOf(history.version)));
      if (history.hasEarlier)
        session.note(`there are earlier ones: --before ${history.events[0]?.revision ?? 1}`);
    });
}

interface HistoryArguments extends HistoryOptions {
  at?: number;
}

type Names = (uid: string) => string;

function eventsText(session: Session, history: History, names: Names): string {
  const { flow, version, events, deletedTo } = history;
  const rows = events.map(({ revision, at, command, changes }) => {
    return {
      revision,
      at,
      command: commandText(command, names),
      changes: changes.map((change) => changeText(change, names)).join('; '),
    };
  });
  const none = deletedTo > 0 ? 'no event is kept' : 'nothing has happened';
  const gone = deletedTo > 0 ? [`the events up to revision ${deletedTo} were deleted`] : [];
  return [...gone, session.table(rows, `${none} in version ${version} of ${flow}`)].join('\n');
}

function commandText(command: Cause, names: Names): string {
  if (command.kind !== 'transition') return command.kind;
  const { kind, block, names: taken, data } = command;
  const answer = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  return `${kind} ${names(block)} ${taken.join(', ')}${answer}`;
}

function changeText(change: Change, names: Names): string {
  const { kind, ...rest } = change;
  if (kind === 'carried') return kind;
  const words = Object.entries(rest).map(([key, value]) => {
    if (typeof value === 'boolean')
      return key === 'outcome' ? String(value) : value ? key : `not ${key}`;
    if (key === 'until') return `until ${new Date(Number(value)).toISOString()}`;
    return key === 'name' ? String(value) : names(String(value));
  });
  return kind === 'flow' ? words.join(', ') : [kind, ...words].join(' ');
}

interface StateAt {
  flow: string;
  version: number;
  revision: number;
  state: FlowState;
}

function stateText({ flow, version, revision, state }: StateAt, names: Names): string {
  const rows = Object.entries(state.blocks).map(
    ([uid, { active, entered, exited, transitioned }]) => ({
      block: names(uid),
      state: [active && 'active', entered && 'entered', exited && 'exited']
        .filter(Boolean)
        .join(', '),
      transitioned: transitioned?.join(', ') ?? '',
    }),
  );
  return [
    `${flow} version ${version} at revision ${revision}: ${flagsText(state)}`,
    table(rows, 'no block was ever entered'),
  ].join('\n');
}
