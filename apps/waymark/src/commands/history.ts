import type { Change, FlowDefinition } from '@waymark/domain/engine';
import type { History, HistoryOptions } from '@waymark/domain/flow-states';
import type { Command } from '../command-line/command.js';
import { parseNumber } from '../command-line/arguments.js';
import { table } from '../output/table.js';

export function addHistoryCommand(program: Command): void {
  program
    .command('history <user> <flow>')
    .description('the recorded events of a state, or the state as it was')
    .option('--version <number>', 'the version; the highest in which the user has a state without it', parseNumber)
    .option('--at <revision>', 'the state as it was after that revision', parseNumber)
    .operation(async (session, user: string, flow: string, options: HistoryOptions) => {
      const { loadHistory } = await import('@waymark/domain/flow-states');
      const { loadFlowVersion } = await import('@waymark/domain/flows');
      const { dataSource, environmentId } = await session.openEnvironment();
      const { manager } = dataSource;
      const history = await loadHistory(manager, environmentId, user, flow, options);
      const { definition } = await loadFlowVersion(manager, flow, history.version);
      if (options.at === undefined) session.print({ ...history, state: undefined }, eventsText(history, definition));
      else session.print(stateDocument(history, options.at), stateText(history, definition));
    });
}

function stateDocument({ flow, version, state }: History, revision: number) {
  return { flow, version, revision, state };
}

function eventsText({ flow, version, events }: History, definition: FlowDefinition): string {
  const names = namesOf(definition);
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

function changeText(change: Change, names: (uid: string) => string): string {
  const { kind, ...rest } = change;
  if (kind === 'carried') return kind;
  const words = Object.entries(rest).map(([key, value]) => {
    if (typeof value === 'boolean') return key === 'outcome' ? String(value) : value ? key : `not ${key}`;
    return key === 'name' ? String(value) : names(String(value));
  });
  return kind === 'flow' ? words.join(', ') : [kind, ...words].join(' ');
}

function stateText({ flow, version, state, events }: History, definition: FlowDefinition): string {
  const names = namesOf(definition);
  const flags = (['started', 'stopped', 'finished'] as const).filter((flag) => state[flag]).join(', ') || 'clean';
  const rows = Object.entries(state.blocks).map(([uid, { active, entered, exited, transitioned }]) => ({
    block: names(uid),
    state: [active && 'active', entered && 'entered', exited && 'exited'].filter(Boolean).join(', '),
    transitioned: transitioned?.join(', ') ?? '',
  }));
  return [`${flow} version ${version} at revision ${events.length}: ${flags}`, table(rows, 'no block was ever entered')].join(
    '\n',
  );
}

/** Identifiers by uid; a uid that the version no longer has stands for itself. */
function namesOf({ blocks }: FlowDefinition): (uid: string) => string {
  const all = blocks.flatMap((block) => [block, ...('items' in block ? block.items : [])]);
  const names = new Map(all.map(({ uid, id }) => [uid, id]));
  return (uid) => names.get(uid) ?? uid;
}
