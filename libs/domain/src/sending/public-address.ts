import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
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

/**
 * Name resolution that yields public addresses only. The connection goes to what was checked, so a name that resolves
 * otherwise the next time gains nothing.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    const addresses = error ? [] : found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (error) callback(error, '');
    else if (!first) callback(new SendFailure('webhook.private-address', privateAddress(hostname)), '');
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

export const privateAddress = (host: string): string =>
  `${host} is a private or loopback address, which webhooks may not be sent to unless the service is configured so`;
