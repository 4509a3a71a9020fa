import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../ports/index.js';
import { haproxyConfig, type NodePorts, patroniConfig } from './cluster-files.js';
import { Machine, type Programs } from './machine.js';

const NODES = 3;

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/**
 * Three servers with synchronous replication, of which Patroni makes one the leader, behind one
 * address.
 */
export class PatroniCluster {
  private readonly machines = new Map<string, Machine>();

  private constructor(
    private readonly programs: Programs,
    private readonly folder: string,
    private readonly nodes: readonly NodePorts[],
    /** The address of the database, wherever the leader is. */
    readonly url: string,
  ) {}

  static async start(programs: Programs): Promise<PatroniCluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'waymark-failover-'));
    await chown(folder, Number(programs.uid), Number(programs.gid));
    await chmod(folder, 0o700);
    const [proxy, etcd, peer, ...ports] = await freePorts(3 + 2 * NODES);
    const nodes = Array.from({ length: NODES }, (_, index) => ({
      name: `node${index + 1}`,
      api: ports[2 * index]!,
      postgres: ports[2 * index + 1]!,
    }));
    const cluster = new PatroniCluster(
      programs,
      folder,
      nodes,
      `postgres://postgres@127.0.0.1:${proxy}/postgres`,
    );
    await cluster.write('haproxy.cfg', haproxyConfig(proxy!, nodes));
    for (const node of nodes)
      await cluster.write(
        `${node.name}.yml`,
        patroniConfig(folder, programs.postgres, etcd!, node),
      );
    cluster.run('etcd', etcdCommand(folder, etcd!, peer!));
    cluster.run('haproxy', ['haproxy', '-db', '-f', path.join(folder, 'haproxy.cfg')]);
    for (const { name } of nodes) cluster.startNode(name);
    await cluster.untilSafe();
    return cluster;
  }

  /** Kills the server of the leader with everything on it; returns its name. */
  async killLeader(): Promise<string> {
    let leader: Member | undefined;
    await this.untilMembers(
      (members) => (leader = members.find(({ role }) => role === 'leader')) !== undefined,
    );
    await this.machines.get(leader!.name)!.kill();
    return leader!.name;
  }

  /** Waits until another server leads. */
  async untilLedByAnother(than: string): Promise<void> {
    await this.untilMembers((members) =>
      members.some(({ name, role }) => role === 'leader' && name !== than),
    );
  }

  startNode(name: string): void {
    this.run(name, ['patroni', path.join(this.folder, `${name}.yml`)]);
  }

  /**
   * Waits until there is a leader whom another server follows synchronously: only then may it be
   * lost.
   */
  async untilSafe(): Promise<void> {
    await this.untilMembers((members) =>
      ['leader', 'sync_standby'].every((wanted) =>
        members.some((one) => one.role === wanted && isUp(one)),
      ),
    );
  }

  async remove(): Promise<void> {
    await Promise.all([...this.machines.values()].map((machine) => machine.kill()));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** What each machine said last. */
  get said(): string {
    return [...this.machines].map(([name, { said }]) => `${name}:\n${said}`).join('\n');
  }

  private run(name: string, command: readonly string[]): void {
    this.machines.set(name, Machine.start(this.programs, command));
  }

  private async write(name: string, text: string): Promise<void> {
    const file = path.join(this.folder, name);
    await writeFile(file, text);
    await chown(file, Number(this.programs.uid), Number(this.programs.gid));
  }

  private async untilMembers(isSo: (members: readonly Member[]) => boolean): Promise<void> {
    while (!isSo(await this.members())) await pause(100);
  }

  /** The members, as any node that answers knows them. */
  private async members(): Promise<readonly Member[]> {
    for (const { api } of this.nodes) {
      const members = await askMembers(api).catch(() => undefined);
      if (members) return members;
    }
    return [];
  }
}

async function askMembers(api: number): Promise<readonly Member[] | undefined> {
  const answer = await fetch(`http://127.0.0.1:${api}/cluster`, {
    signal: AbortSignal.timeout(5_000),
  });
  return answer.ok ? ((await answer.json()) as { members: Member[] }).members : undefined;
}

const isUp = ({ state }: Member): boolean => ['running', 'streaming'].includes(state);

const etcdCommand = (folder: string, client: number, peer: number): string[] => [
  'etcd',
  ...['--name', 'one', '--data-dir', path.join(folder, 'etcd'), '--log-level', 'error'],
  ...[
    '--listen-client-urls',
    `http://127.0.0.1:${client}`,
    '--advertise-client-urls',
    `http://127.0.0.1:${client}`,
  ],
  ...[
    '--listen-peer-urls',
    `http://127.0.0.1:${peer}`,
    '--initial-advertise-peer-urls',
    `http://127.0.0.1:${peer}`,
  ],
  ...['--initial-cluster', `one=http://127.0.0.1:${peer}`],
];

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
