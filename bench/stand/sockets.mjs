// Watching sockets in a process of their own: speaks just enough of socket.io on plain WebSockets,
// since five thousand full clients would weigh more than the service. Talks to bench/live.mjs.
import { once } from 'node:events';
import { createRequire } from 'node:module';

// The version that socket.io brings along.
const { WebSocket } = createRequire(createRequire(import.meta.url).resolve('socket.io'))('ws');

/**
 * Opens one socket for a user and resolves once it has its first snapshot; `onFlow` is called for
 * each one after it.
 */
export async function watch({ url, key, user, flow, onFlow = () => undefined }) {
  const query = `EIO=4&transport=websocket&endUserIdentifier=${user}`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v2/socket/?${query}`, {
    perMessageDeflate: false,
  });
  const hasSnapshot = new Promise((resolve, reject) => {
    let told = resolve;
    socket.on('error', reject);
    socket.on('message', (data) => {
      const text = data.toString();
      if (text === '2') socket.send('3');
      else if (text[0] === '0') socket.send(`40/v2/client,${JSON.stringify({ 'x-api-key': key })}`);
      else if (text.startsWith('40'))
        socket.send(`42/v2/client,${JSON.stringify(['watch:flow', flow, 1])}`);
      else if (text.startsWith('44')) reject(new Error(text));
      else if (text.startsWith('42/v2/client,["flow"')) {
        told();
        told = onFlow;
      }
    });
  });
  await hasSnapshot;
  return socket;
}

const AT_ONCE = 50;

/** Opens one socket for each of the users, some at a time. */
export async function watchAll({ users, ...options }) {
  const queue = [...users];
  const work = async () => {
    for (let user = queue.pop(); user !== undefined; user = queue.pop())
      await watch({ ...options, user });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

if (process.send) {
  const [task] = await once(process, 'message');
  await watchAll(task);
  process.send('watching');
}
