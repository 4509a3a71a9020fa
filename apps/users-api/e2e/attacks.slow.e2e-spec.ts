import { describeAttacks } from '@waymark/testing/attack-tests';

describeAttacks({
  name: 'users-api',
  kind: 'users',
  // It has no sockets and no key that a page carries; whose key is secret is no visitor. The others
  // end in the service kit, of which both services are made: a few show that this one has it too.
  except: [
    'announced-lengths',
    'health-flood',
    'pipeline-then-close',
    'reset-storm',
    'slow-heads',
    'slow-reads',
    'unread-pipelines',
    'handshake-flood',
    'frame-flood',
    'ping-flood',
    'fragment-flood',
    'connect-flood',
    'snapshot-flood',
    'watch-flood',
    'crumbled-bodies',
    'crumbled-by-strangers',
    'repeated-names',
    'silent-sockets',
    'page-key-flood',
    'swelling-bodies',
    'deep-bodies',
    'unfinished-bodies',
    'health-like-flood',
    'unknown-key-flood',
    'upgrade-offers',
    'wrong-token-flood',
    'idle-connections',
  ],
  request: {
    path: '/identify',
    init: { method: 'POST', body: '{"identifier":"ada"}' },
    status: 204,
  },
});
