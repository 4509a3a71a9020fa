// The load generator: plain sockets with one request under way on each, since a full HTTP client would take as much of
// the two cores as the service it measures. Talks to bench/stand/processes.mjs.
import { once } from 'node:events';
import { connect } from 'node:net';

const [task] = await once(process, 'message');
const { hostname, port } = new URL(task.url);
const { createRequests } = await import(task.requests);
const next = createRequests(task.options);
const result = { answered: 0, refused: 0 };
let isOver = false;

const heads = new Map();

function headOf(method, path, headers) {
  const known = heads.get(path);
  if (known?.headers === headers) return known.head;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${lines.join('')}`;
  if (heads.size < 100) heads.set(path, { headers, head });
  return head;
}

function encode({ method = 'POST', path, headers, body }) {
  const head = headOf(method, path, headers);
  if (!body) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The answers without a body are most; told by their status and their end, without decoding them. */
const isEmptyAnswer = (chunk) =>
  chunk[9] === 50 && chunk[10] === 48 && chunk[11] === 52 && chunk.at(-1) === 10 && chunk.at(-3) === 10;

/** Bytes still missing of the answer; negative while its head is not whole. */
function missing(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return -1;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end));
  return Math.max(0, end + 4 + Number(length?.[1] ?? 0) - text.length);
}

function run() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).setNoDelay(true).on('error', reject);
    let text = '';
    const send = () => {
      text = '';
      socket.write(encode(next()));
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      if (text !== '' || !isEmptyAnswer(chunk)) {
        text += chunk.latin1Slice();
        if (missing(text) !== 0) return;
      }
      if (text === '' || text[9] === '2') result.answered++;
      else result.refused++;
      if (!isOver) return send();
      socket.destroy();
      resolve();
    });
    socket.on('close', () => (isOver ? resolve() : reject(new Error('the server closed a connection'))));
  });
}

const began = performance.now();
setTimeout(() => (isOver = true), task.seconds * 1000);
await Promise.all(Array.from({ length: task.connections }, run));
result.rate = (result.answered / (performance.now() - began)) * 1000;
process.send(result, () => process.exit());
