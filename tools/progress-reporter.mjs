// A reporter for Jest that prints every half minute which tests are running, where no terminal
// shows it: in CI a test of minutes would look like one that hangs.
import path from 'node:path';

const EVERY_MS = 30_000;
const secondsSince = (start) => `${Math.round((performance.now() - start) / 1_000)} s`;

export default class ProgressReporter {
  #startedAt = performance.now();
  #total = 0;
  #done = 0;
  /** Of each file that runs: when it began and the test that it is at. */
  #running = new Map();
  #timer;

  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunStart({ numTotalTestSuites }) {
    this.#total = numTotalTestSuites;
    if (process.stderr.isTTY) return;
    this.#timer = setInterval(() => console.error(this.#describe()), EVERY_MS).unref();
  }

  onTestFileStart({ path: file }) {
    this.#running.set(file, { startedAt: performance.now(), title: 'loading' });
  }

  onTestCaseStart({ path: file }, { fullName }) {
    const running = this.#running.get(file);
    if (running) running.title = fullName;
  }

  onTestFileResult({ path: file }) {
    this.#running.delete(file);
    this.#done++;
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  #describe() {
    const lines = [...this.#running].map(
      ([file, { startedAt, title }]) =>
        `  ${path.relative(this.rootDir, file)}, for ${secondsSince(startedAt)}: ${title}`,
    );
    const head = `after ${secondsSince(this.#startedAt)}: ${this.#done} of ${this.#total} files; running`;
    return [head, ...lines].join('\n');
  }
}
