import { integer, type SettingsOf } from '@waymark/service-kit/config';

const limit = (name: string, fallback: number, description: string) =>
  integer(name, { default: String(fallback), min: 1, max: 10_000_000, description });

/** What operators can say about live updates. */
export const LIVE_SETTINGS = {
  socketsPerKey: limit('LIVE_SOCKETS_PER_KEY', 100_000, 'open sockets of one API key on this replica at most'),
  socketsPerAddress: limit(
    'LIVE_SOCKETS_PER_ADDRESS',
    100_000,
    'open sockets of one address on this replica at most; behind a proxy all sockets have the address of the proxy',
  ),
  handshakesPerSecond: limit(
    'LIVE_HANDSHAKES_PER_SECOND',
    1_000,
    'new sockets a second on this replica; more are refused and come back by themselves a moment later',
  ),
};

export type LiveSettings = SettingsOf<typeof LIVE_SETTINGS>;
