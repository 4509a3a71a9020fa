import { LARGE_FLOW } from '@waymark/testing/attacks';
import { describeAttacks } from '@waymark/testing/sieges';

describeAttacks({
  name: 'blocks-api',
  kind: 'blocks',
  flows: [LARGE_FLOW],
  request: { path: '/v2/flow/none?userIdentifier=ada&version=1', status: 404 },
});
