import { type DataSource, IsNull } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { raiseRevision } from '../../database/index.js';
import { Flow } from '../versions/flow-version.js';
import { unknownFlow } from '../versions/unknown.js';

/** Hides the flow from clients until its file is applied again (B12). Throws `flow.unknown`. */
export function archiveFlow(dataSource: DataSource, flow: string, author: Author): Promise<void> {
  return recordChange(dataSource, { action: 'flow.archive' }, author, async (manager, notes) => {
    const { affected } = await manager.update(
      Flow,
      { flow, archivedAt: IsNull() },
      { archivedAt: () => 'now()' },
    );
    if (!affected && !(await manager.existsBy(Flow, { flow }))) throw unknownFlow(flow);
    notes.subject = flow;
    await raiseRevision(manager, 'flows');
  });
}
