import { LARGE_FLOW, MANY_FLOWS } from '@waymark/testing/attacks';
import { describeAttacks } from '@waymark/testing/attack-tests';

describeAttacks({
  name: 'blocks-api',
  kind: 'blocks',
  flows: [LARGE_FLOW, ...MANY_FLOWS],
  request: { path: '/v2/flow/none?userIdentifier=ada&version=1', status: 404 },
});
