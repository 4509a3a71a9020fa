// The order in which a run takes its files: one that takes long must not be left over for the end, when the other workers
// have nothing more to do. Jest goes by what it measured before, and a fresh clone has measured nothing.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/** Those that take longest; the first waits for servers that fail over, which costs the others nothing. */
const FIRST = [
  'apps/blocks-api/e2e/failover',
  'apps/waymark/e2e/audit',
  'apps/studio/e2e/pages',
  'apps/blocks-api/e2e/attacks',
  'apps/studio/e2e/dialogs',
  'apps/waymark/e2e/states',
  'apps/waymark/e2e/flow-commands',
  'apps/waymark/e2e/commands',
  'apps/studio/e2e/long-texts',
  'apps/waymark/e2e/up',
  'apps/studio/e2e/trouble',
].map((name) => fileURLToPath(new URL(`../${name}.e2e-spec.ts`, import.meta.url)));

const gone = FIRST.filter((file) => !existsSync(file));
if (gone.length > 0) throw new Error(`tools/test-order.mjs names files that are not there: ${gone.join(', ')}`);

/** Then whatever starts an app, then the rest. */
const rankOf = ({ path }) => (FIRST.includes(path) ? FIRST.indexOf(path) : FIRST.length + (path.includes('.e2e-') ? 0 : 1));

export default class TestOrder extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
}
