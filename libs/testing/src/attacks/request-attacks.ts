import { randomBytes } from 'node:crypto';
import { type Attack, flood, hold, JSON_HEADERS, postTo, unknownKey } from './attack.js';
import { inParallel, requestText } from './raw-client.js';

const swelling = JSON.stringify({ a: Array.from({ length: 340_000 }, () => ({})) });
const deep = '['.repeat(200_000);

/** The same token with a signature of nobody's. */
const forge = (credential: string): string =>
  `${credential.slice(0, credential.lastIndexOf('.'))}.${randomBytes(64).toString('base64url')}`;

/** Attacks by requests that are sent as HTTP wants them (R13). */
export const REQUESTS = {
  /** A megabyte that takes twenty times its size once it is read. */
  'swelling-bodies': flood(
    (target) =>
      requestText(
        target,
        postTo(target),
        { ...JSON_HEADERS, 'content-length': swelling.length },
        swelling,
      ),
    120,
  ),

  /** Nested without end. */
  'deep-bodies': flood(
    (target) =>
      requestText(target, postTo(target), { ...JSON_HEADERS, 'content-length': deep.length }, deep),
    40,
  ),

  /** Says that a body is ten gigabytes long, and sends none of it. */
  'announced-lengths': flood(
    (target) =>
      requestText(target, postTo(target), { ...JSON_HEADERS, 'content-length': 10_000_000_000 }),
    8,
  ),

  /** A name in a query as often as it fits. */
  'repeated-names': flood((target) =>
    requestText({ url: target.url }, `GET /health?${'a&'.repeat(7_000)}`),
  ),

  'health-flood': flood((target) => requestText({ url: target.url }, 'GET /health/ready')),

  'health-like-flood': flood((target) => requestText({ url: target.url }, 'GET /healthANYTHING')),

  'stranger-flood': flood((target) =>
    requestText({ url: target.url }, 'GET /v2/flow/any?userIdentifier=ada&version=1'),
  ),

  'unknown-key-flood': flood((target) =>
    requestText({ ...target, key: unknownKey }, 'GET /v2/flow/any'),
  ),

  /**
   * Tokens whose signatures do not hold, so that each has to be verified; the key of the target
   * carries one that does.
   */
  'wrong-token-flood': flood((target) =>
    requestText(
      { ...target, key: forge(target.key ?? unknownKey) },
      'GET /v2/flow/any?userIdentifier=ada&version=1',
    ),
  ),
  'page-key-flood': flood((target) =>
    requestText(target, 'POST /v2/flow/any/start?userIdentifier=ada&version=1'),
  ),

  /** Connections that ask for nothing. */
  'idle-connections': (target, signal) =>
    inParallel(10_000, signal, () => hold(target, signal, () => undefined)),

  /** A request, and a reset before its answer. */
  'reset-storm': (target, signal) =>
    inParallel(64, signal, () =>
      hold(target, signal, (socket) => {
        socket.write(requestText(target, 'GET /v2/flow/any?userIdentifier=ada&version=1'));
        setImmediate(() => socket.resetAndDestroy());
      }),
    ),

  /** Offers of a protocol that nobody speaks here. */
  'upgrade-offers': flood((target) =>
    requestText({ url: target.url }, 'GET /nothing', {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
    }),
  ),
} satisfies Record<string, Attack>;
