import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * The rooms of each project, ground first: a room imports only from rooms that stand before it, types included. This is
 * the only place where the order is written; docs/architecture.md shows the same list. Files beside the rooms, such as
 * `index.ts` and `main.ts`, are the roof, unless `.` gives them another place.
 */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  'libs/domain/src': [
    'json',
    'errors',
    'sending',
    'database',
    'memory',
    'targeting',
    'engine',
    'audit',
    'sessions',
    'environments',
    'users',
    'flow-files',
    'flow-types',
    'flows',
    'flow-states',
    'event-log',
    'impact',
    'user-records',
    'effects',
    'live-bus',
    'schema',
  ],
  'libs/domain/src/targeting': ['values', 'language', 'evaluation'],
  'libs/domain/src/engine': ['definition', 'state', 'check', 'step'],
  'libs/domain/src/engine/check': ['graph', 'problems', 'rules'],
  'libs/domain/src/engine/step': ['walk', 'command', 'version'],
  'libs/domain/src/environments': ['environment', 'keys', 'signers', 'user-tokens', 'guard'],
  'libs/domain/src/flow-files': ['source', 'keys', 'rich-text', 'read', 'write', 'diff', 'schema'],
  'libs/domain/src/flows': ['versions', 'draft', 'publish', 'pins', 'catalogue'],
  'libs/domain/src/flow-states': ['state', 'read', 'command', 'history', 'reset'],
  'libs/domain/src/effects': ['queue', 'carrying'],
  'libs/domain/src/event-log': ['following', 'export', 'endpoints', 'delivery', 'retention'],
  'libs/domain/src/schema': ['locks', 'migrations'],
  'libs/domain/src/impact': ['pages', 'report', 'explain', 'plan', 'simulate'],
  'libs/service-kit/src': [
    'headers',
    'errors',
    'json-body',
    'config',
    'logging',
    'database',
    'access',
    'docs',
    'metrics',
    'health',
    'overload',
    'requests',
    'bootstrap',
  ],
  'libs/client/src': ['shapes', 'requests', 'commands', 'views', '.', 'react'],
  'libs/flow-picture/src': ['graph', 'places', 'svg', 'text'],
  'libs/local-postgres/src': [],
  'libs/testing/src': [
    'ports',
    'postgres',
    'builders',
    'services',
    'attacks',
    'browser',
    'citus',
    'failover',
    'fault-proxy',
    'properties',
    'sample-flows',
    'reference',
    'generators',
    'stage',
    'sieges',
    'tokens',
  ],
  'apps/users-api/src': ['config', 'identify'],
  'apps/blocks-api/src': ['config', 'live-bus', 'workers', 'flows', 'effects', 'endpoints', 'live'],
  'apps/blocks-api/src/live': ['push', 'read', 'watch', 'connect'],
  'apps/studio/src': [
    'config',
    'access',
    'requests',
    'assets',
    'work',
    'reader',
    'environments',
    'endpoints',
    'properties',
    'flows',
    'edit',
    'users',
    'operations',
  ],
  'apps/studio/pages': ['api', 'place', 'session', 'controls', 'flows', 'flow', 'edit', 'users', 'operations', 'app'],
  'apps/studio/pages/edit': ['text', 'draft', 'form', 'yaml'],
  'apps/waymark/src': ['refusal', 'config', 'output', 'command-line', 'local-stack', 'commands'],
  'apps/waymark/src/commands': ['endpoint', 'events', 'flow'],
  'apps/waymark/src/commands/flow': ['files', 'plan', 'commit', 'report', 'simulate'],
};
/** Folders that hold no code. */
const NO_ROOMS = ['fixtures'];

type Sources = ReadonlyMap<string, string>;
type Arrow = readonly [from: string, to: string];

/** The sources below a folder by their path in it; specs may look at anything. */
function readSources(folder: string): Sources {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/(spec|\.d)\.tsx?$/.test(file));
  return new Map(sources.map((file) => [file, readFileSync(path.join(root, folder, file), 'utf8')]));
}

/** What a file imports: types too, also by `export … from` and `import()`. */
const importsOf = (text: string): string[] => ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

/** Every import of a file by another one of the same project. */
function arrowsOf(sources: Sources): Arrow[] {
  return [...sources].flatMap(([file, text]) =>
    importsOf(text).flatMap((fileName): Arrow[] => {
      const target = path.join(path.dirname(file), fileName);
      const found = [target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')].find((name) => sources.has(name));
      return fileName.startsWith('.') && found !== undefined ? [[file, found]] : [];
    }),
  );
}

const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '.');

/** Imports that lead to a higher room or onto the roof, as sentences. */
function findArrowsUp(arrows: readonly Arrow[], rooms: readonly string[]): string[] {
  const floorOf = (file: string): number => [...rooms, '.'].indexOf(roomOf(file));
  const isWithin = ([from, to]: Arrow): boolean => roomOf(from) === roomOf(to);
  return arrows
    .filter((arrow) => !isWithin(arrow) && floorOf(arrow[1]) > floorOf(arrow[0]))
    .map(([from, to]) => `${from} imports ${to}, which stands on a higher floor`);
}

/** Files that import each other in a circle, one circle at most for each file. */
function findCircles(arrows: readonly Arrow[]): string[] {
  const imports = new Map<string, string[]>();
  for (const [from, to] of arrows) imports.set(from, [...(imports.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) return void circles.push([...trail.slice(trail.indexOf(file)), file].join(' > '));
    if (done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

describe.each(Object.entries(FLOORS))('the floors of %s', (folder, rooms) => {
  const sources = readSources(folder);
  const arrows = arrowsOf(sources);

  test('have every room in the table, and no other', () => {
    const named = (all: Iterable<string>): string[] =>
      [...new Set(all)].filter((room) => ![...NO_ROOMS, '.'].includes(room)).sort();
    expect(named([...sources.keys()].map(roomOf))).toEqual(named(rooms));
  });

  test('are never climbed by an import', () => {
    expect(findArrowsUp(arrows, rooms)).toEqual([]);
  });

  test('hold no files that import each other in a circle', () => {
    expect(findCircles(arrows)).toEqual([]);
  });

  test('would show an import of types from each room to the one above it', () => {
    rooms.slice(1).forEach((above, index) => {
      const [low, high] = [path.join(rooms[index]!, 'low.ts'), path.join(above, 'high.ts')];
      const planted = new Map([
        [low, `import type { X } from './${path.relative(path.dirname(low), high)}';`],
        [high, ''],
      ]);
      expect(findArrowsUp(arrowsOf(planted), rooms)).toEqual([`${low} imports ${high}, which stands on a higher floor`]);
    });
  });
});

const PROJECTS = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).flatMap((name) =>
    ['src', 'pages'].map((code) => `${folder}/${name}/${code}`).filter((code) => existsSync(path.join(root, code))),
  ),
);

test('no file imports its own project by name, which would pass by the floors', () => {
  const isOwn = (project: string, name: string): boolean => `${name}/`.startsWith(`@waymark/${project.split('/')[1]}/`);
  const found = PROJECTS.flatMap((project) =>
    [...readSources(project)].flatMap(([file, text]) =>
      importsOf(text).flatMap((name) => (isOwn(project, name) ? [`${project}/${file} imports ${name}`] : [])),
    ),
  );
  expect(found).toEqual([]);
});

test('every folder below src or pages that has rooms has floors', () => {
  const withRooms = PROJECTS.flatMap((project) =>
    [...readSources(project).keys()].flatMap((file) => {
      const rooms = file.split('/').slice(0, -1);
      return rooms.map((_, depth) => path.join(project, ...rooms.slice(0, depth)));
    }),
  );
  expect([...new Set(withRooms)].filter((folder) => !(folder in FLOORS))).toEqual([]);
});

test('a circle of types alone is found too', () => {
  const planted = new Map([
    ['room/one.ts', "import type { Two } from './two.js';"],
    ['room/two.ts', "export type { One } from './one.js';"],
  ]);
  expect(findCircles(arrowsOf(planted))).toEqual(['room/one.ts > room/two.ts > room/one.ts']);
});
