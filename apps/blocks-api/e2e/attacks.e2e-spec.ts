import { describeAttacks } from '@waymark/testing/sieges';

describeAttacks({
  name: 'blocks-api',
  kind: 'blocks',
  request: { path: '/v2/flow/none?userIdentifier=ada&version=1', status: 404 },
});
