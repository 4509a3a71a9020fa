// Loaded into a service before it starts. Its stdin is a pipe whose other end the local stack holds: when that process is
// gone, even by SIGKILL, the service ends as if it had been told to.
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
(process.stdin as Partial<NodeJS.ReadStream>).unref?.();
