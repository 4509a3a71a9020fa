import { ADDRCONFIG, type LookupAddress, promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { SendFailure } from './send-failure.js';

/** What names are looked up with. */
export interface NameSources {
  /** Asks the name servers, which takes no thread. */
  makeResolver(): Pick<dns.Resolver, 'resolve4' | 'resolve6'>;
  /** As the machine resolves names: its hosts file, its search domains. */
  lookup(host: string): Promise<LookupAddress[]>;
}

const SYSTEM: NameSources = {
  makeResolver: () => new dns.Resolver({ timeout: 2_000, tries: 2 }),
  lookup: (host) => dns.lookup(host, { all: true, hints: ADDRCONFIG }),
};

/** A name that takes the machine longer is slow until it is quick again. */
const SLOW_MS = 1_000;

/**
 * Addresses of hosts, so that one whose name servers never answer holds up nothing but itself (S19). The machine looks up two
 * names at a time for a whole process, the database's among them, and is patient for half a minute and more. So it is asked for
 * one name at a time, and only for such whose servers answer at all; and for one more beside it of those that were slow the last
 * time, as where servers answer some questions only: each holds up others once.
 */
export class HostNames {
  private readonly underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  private readonly slow = new Set<string>();
  private readonly last: Record<'quick' | 'slow', Promise<unknown>> = { quick: Promise.resolve(), slow: Promise.resolve() };

  constructor(
    private readonly sources: NameSources = SYSTEM,
    private readonly slowMs = SLOW_MS,
  ) {}

  /** Those who ask for the same host share the answer. Throws a `SendFailure` where no server answers, and what DNS says. */
  find(host: string): Promise<readonly LookupAddress[]> {
    const known = this.underWay.get(host);
    if (known) return known;
    const finding = this.ask(host).finally(() => this.underWay.delete(host));
    this.underWay.set(host, finding);
    return finding;
  }

  private async ask(host: string): Promise<readonly LookupAddress[]> {
    if (await this.isUnanswered(host))
      throw new SendFailure('webhook.no-name-server', `the name servers of ${host} do not answer`);
    const queue = this.slow.has(host) ? 'slow' : 'quick';
    const found = this.last[queue].then(() => this.lookup(host));
    this.last[queue] = found.catch(() => undefined);
    return found;
  }

  private async lookup(host: string): Promise<LookupAddress[]> {
    const start = performance.now();
    try {
      return await this.sources.lookup(host);
    } finally {
      if (performance.now() - start > this.slowMs) this.slow.add(host);
      else this.slow.delete(host);
    }
  }

  private async isUnanswered(host: string): Promise<boolean> {
    const resolver = this.sources.makeResolver();
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.every(isTimeout) && !(await isInHostsFile(host));
  }
}

function isTimeout(answer: PromiseSettledResult<unknown>): boolean {
  return answer.status === 'rejected' && (answer.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
}

/** What stands there needs no server. */
async function isInHostsFile(host: string): Promise<boolean> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.toLowerCase().split(/\s+/).includes(host.toLowerCase());
}
