import { parentPort } from 'node:worker_threads';
import { type Asked, doWork } from './reader/works.js';

// A thread beside the server in which texts are read and pictures drawn; reader/reader-thread.ts starts it.
parentPort!.on('message', (asked: Asked) => parentPort!.postMessage(doWork(asked)));
