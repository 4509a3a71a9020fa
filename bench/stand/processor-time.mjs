// Processor time as Linux counts it, in microseconds: it depends much less than a rate does on what
// else the machine does.
import { readdir, readFile } from 'node:fs/promises';

/** The kernel counts in hundredths of a second, whatever the machine (USER_HZ). */
const MICROSECONDS_PER_TICK = 10_000;

/** What a process has used, threads included, and what its children that have ended had used. */
async function usageOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    own: (user + system) * MICROSECONDS_PER_TICK,
    ended: (endedUser + endedSystem) * MICROSECONDS_PER_TICK,
  };
}

/** Of one process, its ended children left out. */
export const timeOf = async (pid) => (await usageOf(pid)).own;

/**
 * Of a PostgreSQL, by the process id of any of its backends: the postmaster with all children,
 * those that have ended too.
 */
export async function postgresTimeOf(backend) {
  const { parent: postmaster } = await usageOf(backend);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const { own, ended } = await usageOf(postmaster);
  const usages = await Promise.all(pids.map(usageOf));
  return usages
    .filter(({ parent }) => parent === postmaster)
    .reduce((total, child) => total + child.own, own + ended);
}
