import { parentPort } from 'node:worker_threads';
import { WORKS, type Asked } from './edit/works.js';

// The thread beside the server in which texts are read; edit/text-reader.ts starts it.
parentPort!.on('message', ({ work, given }: Asked) => {
  const run = WORKS[work] as (...all: Asked['given']) => unknown;
  parentPort!.postMessage(run(...given));
});
