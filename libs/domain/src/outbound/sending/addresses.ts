import { ADDRCONFIG, type LookupAddress, promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { FinalFailure, SendFailure } from './send-failure.js';

const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number];

/**
 * Addresses that lie in public ranges and answer inside a cloud only: the platform of Azure, with
 * keys of its machines.
 */
const OF_CLOUDS = new Set(['168.63.129.16']);

/**
 * Whether an address is one of the open internet: no loopback, private, link-local, mapped or
 * otherwise special one (S19).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // The old form of IPv4 addresses in IPv6: `::127.0.0.1`.
  if (parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE)) return false;
  return parsed.range() === 'unicast' && !OF_CLOUDS.has(parsed.toString());
}

/**
 * Throws a `FinalFailure` for a URL whose host is written as an address that is not public: no
 * lookup sees it.
 */
export function refusePrivateLiteral({ hostname }: URL): void {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0 && !isPublicAddress(bare))
    throw new FinalFailure('webhook.private-address', privateAddress(bare));
}

/**
 * Name resolution for requests to the outside, of public addresses only unless private ones are
 * allowed. The connection goes to what was checked, so a name that resolves otherwise the next time
 * gains nothing.
 */
export const lookupFor =
  (allowPrivateAddresses: boolean): LookupFunction =>
  (hostname, options, callback) => {
    const answer = (found: readonly LookupAddress[]): void => {
      const addresses = found.filter(
        ({ address }) => allowPrivateAddresses || isPublicAddress(address),
      );
      const [first] = addresses;
      if (!first)
        callback(new SendFailure('webhook.private-address', privateAddress(hostname)), '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    findAddresses(hostname).then(answer, (error: Error) => callback(error, ''));
  };

const privateAddress = (host: string): string =>
  `${host} is a private or loopback address, which webhooks may not be sent to unless the service is configured so`;

/** What names are looked up with. */
interface NameSources {
  /** Asks the name servers, which takes no thread. */
  makeResolver(): Pick<dns.Resolver, 'resolve4' | 'resolve6'>;
  /** As the machine resolves names: its hosts file, its search domains. */
  lookup(host: string): Promise<LookupAddress[]>;
}

const SYSTEM: NameSources = {
  makeResolver: () => new dns.Resolver({ timeout: 2_000, tries: 2 }),
  lookup: (host) => dns.lookup(host, { all: true, hints: ADDRCONFIG }),
};

/**
 * The addresses of a host, from its name servers. The machine, which looks up two names at a time
 * for the whole process, the database's among them, is asked only for what its hosts file has and
 * for what the servers answer at once not to know: a host whose servers never answer holds up
 * nothing but itself (S19). Throws a `SendFailure` then, and what DNS says.
 */
export async function findAddresses(
  host: string,
  { makeResolver, lookup }: NameSources = SYSTEM,
): Promise<readonly LookupAddress[]> {
  if (await isInHostsFile(host)) return lookup(host);
  const resolver = makeResolver();
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer, index) =>
    answer.status === 'rejected'
      ? []
      : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  );
  if (found.length > 0) return found;
  if (answers.some(isTimeout))
    throw new SendFailure('webhook.no-name-server', `the name servers of ${host} do not answer`);
  return lookup(host);
}

const isTimeout = (answer: PromiseSettledResult<unknown>): boolean =>
  answer.status === 'rejected' && (answer.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';

async function isInHostsFile(host: string): Promise<boolean> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.toLowerCase().split(/\s+/).includes(host.toLowerCase());
}
