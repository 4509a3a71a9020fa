import { bootstrap } from '@waymark/service-kit/bootstrap';
import { describeKeyGuard } from '@waymark/testing/services';
import { BLOCKS_API } from '../src/service.js';

describeKeyGuard('the blocks API', {
  start: (settings) => bootstrap(BLOCKS_API, settings),
  kind: 'blocks',
  sample: 'GET /v2/flow/x',
  open: ['GET /elements.js', 'GET /elements-debug.js'],
});
