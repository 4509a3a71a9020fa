import type { Change } from '@waymark/domain/engine';
import type { History, HistoryOptions } from '@waymark/domain/flow-states';
import type { Command } from '../command-line/command.js';
import { parseNumber } from '../command-line/arguments.js';
import { flagsText } from '../output/flags.js';
import { table } from '../output/table.js';

export function addHistoryCommand(program: Command): void {
  program
    .command('history <user> <flow>')
    .description('the recorded events of a state, or the state as it was')
    .option('--version <number>', 'the version; the highest in which the user has a state without it', parseNumber)
    .option('--at <revision>', 'the state as it was after that revision', parseNumber)
    .operation(async (session, user: string, flow: string, options: HistoryOptions) => {
      const { identifiersOf } = await import('@waymark/domain/engine');
      const { loadHistory } = await import('@waymark/domain/flow-states');
      const { loadFlowVersion } = await import('@waymark/domain/flows');
      const { dataSource, environmentId } = await session.openEnvironment();
      const { manager } = dataSource;
      const history = await loadHistory(manager, environmentId, user, flow, options);
      const { definition } = await loadFlowVersion(manager, flow, history.version);
      const names = identifiersOf(definition);
      if (options.at === undefined) return session.print({ ...history, state: undefined }, eventsText(history, names));
      const { version, state } = history;
      session.print({ flow, version, revision: options.at, state }, stateText(history, names));
    });
}

type Names = (uid: string) => string;

function eventsText({ flow, version, events }: History, names: Names): string {
  const rows = events.map(({ revision, at, command, changes }) => {
    const block = 'block' in command ? ` ${names(command.block)} ${command.names.join(', ')}` : '';
    return {
      revision,
      at,
      command: `${command.kind}${block}`,
      changes: changes.map((change) => changeText(change, names)).join('; '),
    };
  });
  return table(rows, `nothing has happened in version ${version} of ${flow}`);
}

function changeText(change: Change, names: Names): string {
  const { kind, ...rest } = change;
  if (kind === 'carried') return kind;
  const words = Object.entries(rest).map(([key, value]) => {
    if (typeof value === 'boolean') return key === 'outcome' ? String(value) : value ? key : `not ${key}`;
    return key === 'name' ? String(value) : names(String(value));
  });
  return kind === 'flow' ? words.join(', ') : [kind, ...words].join(' ');
}

function stateText({ flow, version, state, events }: History, names: Names): string {
  const rows = Object.entries(state.blocks).map(([uid, { active, entered, exited, transitioned }]) => ({
    block: names(uid),
    state: [active && 'active', entered && 'entered', exited && 'exited'].filter(Boolean).join(', '),
    transitioned: transitioned?.join(', ') ?? '',
  }));
  return [
    `${flow} version ${version} at revision ${events.length}: ${flagsText(state)}`,
    table(rows, 'no block was ever entered'),
  ].join('\n');
}
