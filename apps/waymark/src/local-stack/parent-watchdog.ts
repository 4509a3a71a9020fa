import { isMainThread } from 'node:worker_threads';

// Loaded into a service before it starts. Its stdin is a pipe whose other end the local stack
// holds: when that process is gone, even by SIGKILL, the service shuts down as if it had received
// SIGTERM. Threads of the service load it too, and have no stdin.
if (isMainThread) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.resume();
  (process.stdin as Partial<NodeJS.ReadStream>).unref?.();
}
