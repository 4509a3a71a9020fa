// Formatting, lint, boundaries and types, side by side, as each of them keeps one core busy; what
// one has to say comes in one piece.
// Usage: npm run check
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The longest first. */
const SCRIPTS = ['lint', 'types', 'boundaries', 'format:check'];

async function run(script) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => said.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(
    `npm run ${script}: ${code === 0 ? 'passed' : 'failed'}\n${Buffer.concat(said)}`,
  );
  return code === 0;
}

const passed = await Promise.all(SCRIPTS.map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
