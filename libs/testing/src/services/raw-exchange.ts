import { connect } from 'node:net';

/** What came back on a bare connection, as far as it is HTTP. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Writes bytes that need not be HTTP and reads until the other side closes: for what clients of the
 * kind do not send. A request that is to be answered has to ask for `connection: close`.
 */
export async function rawExchange(url: string, ...chunks: (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', (error) => (received.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(received).toString()));
    for (const chunk of chunks) socket.write(chunk);
  });
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(/: (.*)/s))
    .map(([name, value]) => [name!.toLowerCase(), value ?? '']);
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: body.join('\r\n\r\n'),
  };
}
