import type { ListedReset, Undone } from '@waymark/domain/states';
import type { Command } from '../command-line/command.js';
import { countUsers } from '../output/numbers.js';
import { Progress } from '../output/progress.js';
import type { Session } from '../command-line/session.js';

/** Connections for users worked on at the same time, and one to look for more. */
const POOL_SIZE = 9;

export function addResetsCommand(program: Command): void {
  const resets = program
    .command('resets')
    .description('resets of many users, and how to take one back');
  resets
    .command('list')
    .description('the runs of the environment, undos too, the newest first')
    .operation(async (session) => {
      const { listResets } = await import('@waymark/domain/states');
      const { dataSource, environmentId } = await session.openEnvironment();
      const listed = await listResets(dataSource.manager, environmentId);
      session.printOf(
        { resets: listed },
        session.table(listed.map(row), 'no reset of many users has been run'),
      );
    });
  resets
    .command('undo <run>')
    .description('give everybody who has not moved since a run their state back')
    .option('--dry-run', 'only count them', false)
    .recorded(
      (_run: string, { dryRun }: UndoOptions) => (dryRun ? null : { action: 'reset.undo' }),
      undo,
    );
}

interface UndoOptions {
  dryRun: boolean;
}

async function undo(session: Session, id: string, { dryRun }: UndoOptions): Promise<void> {
  const { getUndoable, undoReset } = await import('@waymark/domain/states');
  const { openOperatorAccess } = await import('@waymark/domain/states');
  const { dataSource, environmentId } = await session.openEnvironment({ poolSize: POOL_SIZE });
  const { flow, version, matched } = await getUndoable(dataSource, environmentId, id);
  const what = `run ${id} of ${countUsers(matched)} in version ${version} of ${flow}`;
  if (!dryRun) await session.confirm(`This takes ${what} of ${session.environment} back.`);
  const progress = new Progress(session, 'users');
  const options = {
    dryRun,
    signal: session.signal,
    onProgress: (undone: Undone) =>
      progress.show({ done: looked(undone), total: matched, more: describe(undone) }),
    onResume: (began: Date, undone: Undone) =>
      session.note(
        `continuing the undo begun at ${began.toISOString()}, after ${describe(undone)}`,
      ),
  };
  const access = openOperatorAccess(dataSource, session.settings.preparedStatements);
  const undone = await progress.during(
    undoReset(access, environmentId, id, options, session.author),
  );
  const done = `${session.environment}: ${describe(undone)}`;
  session.printOf(undone, `${done}${dryRun ? '; nothing was changed' : ''}`);
  if (undone.run) session.note(`\`waymark resets undo ${undone.run}\` takes the undo back`);
}

const looked = ({ restored, movedOn, failed }: Undone): number => restored + movedOn + failed;

const describe = ({ restored, movedOn, failed }: Undone): string =>
  `${restored} restored, ${movedOn} moved on and left, ${failed} failed`;

function row({ startedAt: started, finishedAt, progress, undoes, ...run }: ListedReset) {
  const { id, flow, version, by, matched, reset, unchanged, movedOn, failed, reason } = run;
  const what = undoes ? `undo of ${undoes}` : 'reset';
  const counts = undoes
    ? `${reset} restored, ${movedOn} moved on`
    : `${matched} matched, ${reset} reset, ${unchanged} unchanged`;
  const ended = finishedAt?.toISOString() ?? progress;
  const whom = run.condition ?? 'everybody';
  return { id, what, flow: `${flow}@${version}`, whom, by, counts, failed, started, ended, reason };
}
