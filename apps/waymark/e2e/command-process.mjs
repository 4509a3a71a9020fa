// Runs one line of the built command after the other, in one process: what takes long of a line is
// loading the command. Messages are `{ args, env, cwd, bin, end }`; after each line `end` is
// written to both outputs, and its status is the answer.
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

let count = 0;

async function run({ args, env, cwd, bin }) {
  process.argv.splice(2, Infinity, ...args);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = undefined;
  count += 1;
  // Evaluated anew under another address; its parts stay loaded.
  await import(`${pathToFileURL(bin)}?line=${count}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.stdout.removeAllListeners('error');
}

process.on('disconnect', () => process.exit());
process.on('message', async (line) => {
  await run(line);
  const { exitCode } = process;
  for (const output of [process.stdout, process.stderr])
    if (!output.write(line.end)) await once(output, 'drain');
  process.send({ status: exitCode ?? 0 });
});
