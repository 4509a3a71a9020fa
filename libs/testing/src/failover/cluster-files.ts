import { stringify } from 'yaml';

export interface NodePorts {
  readonly name: string;
  readonly api: number;
  readonly postgres: number;
}

const PASSWORD = 'of-a-test';

/** As docs/deploy.md shows it, with times that are short enough to see ten failovers. */
export function patroniConfig(
  folder: string,
  bin: string,
  etcd: number,
  { name, api, postgres }: NodePorts,
): string {
  const user = (username: string) => ({ username, password: PASSWORD });
  return stringify({
    scope: 'waymark',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 5,
        loop_wait: 1,
        retry_timeout: 2,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 100,
            wal_keep_size: '128MB',
            shared_buffers: '32MB',
            synchronous_commit: 'on',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgres}`,
      connect_address: `127.0.0.1:${postgres}`,
      data_dir: `${folder}/${name}`,
      bin_dir: bin,
      pgpass: `${folder}/${name}.pgpass`,
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewind'),
      },
      parameters: { unix_socket_directories: '', max_wal_senders: 10 },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  });
}

/** Routes to the leader according to Patroni, and closes connections to any other server. */
export const haproxyConfig = (port: number, nodes: readonly NodePorts[]): string => `global
  maxconn 500
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, api, postgres }) => `  server ${name} 127.0.0.1:${postgres} check port ${api}`).join('\n')}
`;
