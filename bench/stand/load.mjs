// The load generator: plain sockets with one request under way on each, since a full HTTP client
// would take as much of the two cores as the service it measures. Each of some connections sends as
// soon as it has its answer; or, with `perSecond`, requests are sent when they are due, whether or
// not earlier ones are answered. Talks to bench/stand/processes.mjs.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const [task] = await once(process, 'message');
const { hostname, port } = new URL(task.url);
const { createRequests } = await import(task.requests);
const next = createRequests(task.options);
const result = { answered: 0, refused: 0, shed: 0 };
let isOver = false;
/** Requests under way. */
let asking = 0;

/** The most connections where requests are sent when they are due, if the task does not say. */
const MOST_CONNECTIONS = 4_000;
/**
 * Milliseconds for answers that are still to come: what is left behind would be worked off before
 * the next load.
 */
const LAST_ANSWERS_MS = 5_000;

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

/** Most answers have no body: their status and their end tell them, without decoding. */
const isEmptyAnswer = (chunk) =>
  chunk[9] === 50 &&
  chunk[10] === 48 &&
  chunk[11] === 52 &&
  chunk.at(-1) === 10 &&
  chunk.at(-3) === 10;

/** How many bytes of the answer are still missing; negative while its head is not complete. */
function missing(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return -1;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end));
  return Math.max(0, end + 4 + Number(length?.[1] ?? 0) - text.length);
}

/**
 * A connection that calls back after each answer; `ask` sends the next request. One that ends
 * without the answer has failed.
 */
function open(onAnswer) {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let isAsking = false;
  let text = '';
  const setAsking = (is) => {
    asking += is - isAsking;
    isAsking = is;
  };
  setAsking(true);
  socket.on('data', (chunk) => {
    if (text !== '' || !isEmptyAnswer(chunk)) {
      text += chunk.latin1Slice();
      if (missing(text) !== 0) return;
    }
    count(text);
    if (/\r\nconnection: close\r\n/i.test(text)) socket.end();
    text = '';
    setAsking(false);
    onAnswer();
  });
  socket.on('close', () => {
    if (isAsking) result.refused++;
    setAsking(false);
  });
  const ask = () => {
    setAsking(true);
    socket.write(encode(next()));
  };
  return Object.assign(socket, { ask });
}

/** Tells apart what was answered, what was refused with `Retry-After`, and everything else. */
function count(text) {
  if (text === '' || text[9] === '2') result.answered++;
  else if (/^HTTP\/1.1 (429|503) [^]*\r\nretry-after: /i.test(text)) result.shed++;
  else result.refused++;
}

function keepAsking() {
  return new Promise((resolve, reject) => {
    const connection = open(() => {
      if (!isOver) return connection.ask();
      connection.destroy();
      resolve();
    });
    connection.on('connect', connection.ask).on('error', reject);
    connection.on('close', () =>
      isOver ? resolve() : reject(new Error('the server closed a connection')),
    );
  });
}

/**
 * A request that finds no free connection is not sent; it counts as neither answered nor shed, but
 * is missing in `sent`.
 */
async function askWhenDue({ perSecond, connections: most = MOST_CONNECTIONS }) {
  const idle = [];
  let connections = 0;
  result.sent = 0;
  const ask = () => {
    let known = idle.pop();
    // The server may have closed it by now.
    while (known && !known.writable) known = idle.pop();
    if (!known && connections >= most) return;
    result.sent++;
    if (known) return void known.ask();
    connections++;
    const connection = open(() => idle.push(connection));
    connection
      .on('connect', connection.ask)
      .on('error', () => undefined)
      .on('close', () => connections--);
  };
  for (let due = 0; !isOver; await pause(1)) {
    const until = ((performance.now() - began) * perSecond) / 1000;
    for (; due < until; due++) ask();
  }
}

const began = performance.now();
setTimeout(() => (isOver = true), task.seconds * 1000);
await (task.perSecond
  ? askWhenDue(task)
  : Promise.all(Array.from({ length: task.connections }, keepAsking)));
result.rate = (result.answered / (performance.now() - began)) * 1000;
for (const end = performance.now() + LAST_ANSWERS_MS; asking > 0 && performance.now() < end;)
  await pause(10);
process.send(result, () => process.exit());
