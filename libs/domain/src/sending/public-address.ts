import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { HostNames } from './host-names.js';
import { SendFailure } from './send-failure.js';

const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number];

/** Whether an address is one of the open internet: no loopback, private, link-local, mapped or otherwise special one (S19). */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // IPv4 addresses written as IPv6 ones, of old: `::127.0.0.1`.
  if (parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE)) return false;
  return parsed.range() === 'unicast';
}

/** The host of a URL as an address, where it is written as one. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

const names = new HostNames();

/**
 * Name resolution for requests to the outside, of public addresses only unless private ones are allowed. The connection goes
 * to what was checked, so a name that resolves otherwise the next time gains nothing.
 */
export const lookupFor =
  (allowPrivateAddresses: boolean): LookupFunction =>
  (hostname, options, callback) => {
    const answer = (found: readonly LookupAddress[]): void => {
      const addresses = found.filter(({ address }) => allowPrivateAddresses || isPublicAddress(address));
      const [first] = addresses;
      if (!first) callback(new SendFailure('webhook.private-address', privateAddress(hostname)), '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    names.find(hostname).then(answer, (error: Error) => callback(error, ''));
  };

export const privateAddress = (host: string): string =>
  `${host} is a private or loopback address, which webhooks may not be sent to unless the service is configured so`;
