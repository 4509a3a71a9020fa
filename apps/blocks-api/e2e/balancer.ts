import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP load balancer: each new connection goes to the next target that accepts it. */
export interface Balancer {
  readonly url: string;
  /**
   * `http://…` of the services that get new connections from now on; open ones stay where they are.
   */
  leadTo(urls: readonly string[]): void;
  close(): Promise<void>;
}

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  let targets = urls.map(portOf);
  let turn = 0;
  const open = new Set<Socket>();
  const join = (client: Socket, attempts: number): void => {
    const port = targets[turn++ % targets.length]!;
    const service = connect(port, '127.0.0.1');
    service.once('connect', () => client.pipe(service).pipe(client));
    service.on('error', () =>
      attempts > 1 && service.connecting ? join(client, attempts - 1) : client.destroy(),
    );
    service.once(
      'close',
      () => void (service.bytesRead + service.bytesWritten > 0 && client.destroy()),
    );
    client.once('close', () => service.destroy());
  };
  const server = createServer((client) => {
    open.add(client.setNoDelay());
    client.on('error', () => undefined);
    client.once('close', () => open.delete(client));
    join(client, targets.length);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (others) => (targets = others.map(portOf)),
    close: async () => {
      server.close();
      for (const client of open) client.destroy();
      await once(server, 'close');
    },
  };
}

const portOf = (url: string): number => Number(new URL(url).port);
