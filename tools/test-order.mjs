// The order in which a run takes its files: one that takes long must not be left over for the end, when the other workers
// have nothing more to do. Jest goes by what it measured before, and a fresh clone has measured nothing.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Those that take longest; the first waits for servers that fail over, which costs the others nothing. */
export const FIRST = [
  'apps/blocks-api/e2e/failover.slow',
  'apps/blocks-api/e2e/attacks.slow',
  'apps/users-api/e2e/attacks.slow',
  'apps/studio/e2e/long-texts.slow',
  'apps/studio/e2e/pages.slow',
  'apps/studio/e2e/dialogs.slow',
  'apps/studio/e2e/trouble.slow',
  'apps/studio/e2e/giant-texts.slow',
  'apps/blocks-api/e2e/replicas.slow',
  'apps/waymark/e2e/up',
  'apps/studio/e2e/work.slow',
  'apps/studio/e2e/versions.slow',
  'apps/waymark/e2e/every-path',
  'apps/studio/e2e/walk',
  'apps/waymark/e2e/audit',
].map((name) => `${name}.e2e-spec.ts`);

/** Then whatever starts an app, then the rest. */
function rankOf(test) {
  const place = FIRST.indexOf(path.relative(root, test.path));
  if (place >= 0) return place;
  return FIRST.length + (test.path.includes('e2e-spec') ? 0 : 1);
}

export default class TestOrder extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
}
