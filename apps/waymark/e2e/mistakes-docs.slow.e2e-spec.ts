import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { promisify } from 'node:util';
import { ROOT, type RunningStack, startStack } from './run-waymark.js';

const run = promisify(execFile);

/** What the chapter has people type, and what it says that they see. */
interface Lesson {
  title: string;
  typed: string;
  seen: string | undefined;
}

let folder: string;
let stack: RunningStack;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waymark-mistakes-'));
  stack = await startStack(folder, ['--no-demo']);
  // The command of this workspace, as `npx waymark` finds it in one.
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  const waymark = path.join(ROOT, 'apps/waymark/bin/waymark.mjs');
  await writeFile(
    path.join(bin, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${waymark}" "$@"\n`,
  );
  await chmod(path.join(bin, 'npx'), 0o755);
});
afterAll(async () => {
  stack.child.kill('SIGTERM');
  await stack.ended;
  await rm(folder, { recursive: true, force: true });
});

test('the chapter "Mistakes" of docs/flows.md, typed from its first line beside the local stack, shows what it says (I1 to I6)', async () => {
  const lessons = lessonsOf(await readFile(path.join(ROOT, 'docs/flows.md'), 'utf8'));
  expect(lessons.length).toBeGreaterThan(6);
  const shown = await follow(lessons);
  // One text for each block that is typed, which names what is requested by its first line.
  const seen = Object.fromEntries(
    lessons.map(({ title, seen: told = '' }) => [title, plain(told)]),
  );
  expect(
    Object.fromEntries(lessons.map(({ title }, index) => [title, plain(shown[index]!)])),
  ).toEqual(seen);
});

function lessonsOf(page: string): Lesson[] {
  const chapter = /^## Mistakes$(.*?)(?=^## |$(?![^]))/ms.exec(page)![1]!;
  const blocks = [...chapter.matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```)?/gms)];
  return blocks.map(([, typed, seen], index) => ({
    title: `${index + 1}: ${typed!.split('\n')[0]}`,
    typed: typed!,
    seen,
  }));
}

/**
 * Types all of it into one shell, since later lines go on from earlier ones; what each block has
 * shown.
 */
async function follow(lessons: readonly Lesson[]): Promise<string[]> {
  const script = lessons.map(({ typed }) => `${typed}\necho "~~~"\n`).join('');
  const env = {
    PATH: `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:${process.env['PATH']}`,
    WAYMARK_BY: 'ada',
  };
  const { stdout } = await run('sh', ['-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env,
    maxBuffer: 2 ** 24,
  });
  return stdout.split('~~~\n').slice(0, lessons.length);
}

/** Without what differs from day to day: times, ids, and the widths that follow from them. */
function plain(text: string): string[] {
  const same = text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( UTC|Z)?/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
  return same
    .split('\n')
    .map((line) => line.trim().replace(/ +/g, ' '))
    .filter((line) => line !== '');
}
