import { parentPort } from 'node:worker_threads';
import { type Operation, doWork } from './reader/works.js';

// A thread beside the server in which texts are read and pictures drawn; reader/reader-thread.ts
// starts it.
parentPort!.on('message', (operation: Operation) => parentPort!.postMessage(doWork(operation)));
