import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '..');
const GENERATED = [
  '.env.example',
  'docs/reference.md',
  'examples/flow.schema.json',
  'examples/event.schema.json',
];

const VERBATIM = { recursive: true, verbatimSymlinks: true };

/** A copy of the project in a folder with a space. */
let copy: string;
beforeAll(() => {
  copy = path.join(mkdtempSync(path.join(tmpdir(), 'waymark-generate-')), 'my projects');
  const list = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1e8,
    },
  );
  for (const file of list.split('\0').filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    copyFileSync(path.join(ROOT, file), path.join(copy, file));
  }
  const packages = path.join(copy, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    const from = path.join(ROOT, 'node_modules', name);
    if (name === '@waymark') cpSync(from, path.join(packages, name), VERBATIM);
    else if (name !== '.cache') symlinkSync(from, path.join(packages, name));
  }
});
afterAll(() => rmSync(path.dirname(copy), { recursive: true }));

const read = (root: string, file: string) => readFileSync(path.join(root, file), 'utf8');

test('npm run generate works in a folder with a space, and writes what is checked in', () => {
  const { generate } = (JSON.parse(read(ROOT, 'package.json')) as { scripts: { generate: string } })
    .scripts;
  const { status, stderr } = spawnSync('sh', ['-c', generate], { cwd: copy, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  for (const file of GENERATED) expect([file, read(copy, file)]).toEqual([file, read(ROOT, file)]);
});

test.each(['settings', 'commands', 'write-schemas'])(
  '%s.mjs that is killed while it writes leaves every file as it was',
  (tool) => {
    const before = GENERATED.map((file) => read(copy, file));
    const killed = `data:text/javascript,${encodeURIComponent(`
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const half = (file, text) => {
        if (!String(file).includes('my projects')) return;
        fs.writeSync(fs.openSync(file, 'w'), text.slice(0, text.length / 2));
        process.kill(process.pid, 'SIGKILL');
      };
      fs.promises.writeFile = async (file, text) => half(file, text);
      fs.writeFileSync = half;
      syncBuiltinESMExports();`)}`;
    const args = ['--import', killed, `tools/${tool}.mjs`];
    expect(spawnSync(process.execPath, args, { cwd: copy }).signal).toBe('SIGKILL');
    expect(GENERATED.map((file) => read(copy, file))).toEqual(before);
  },
);
