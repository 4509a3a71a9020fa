// Who may import whom, types included, through however many files a rule says: `npm run
// boundaries`, a part of `npm run check`. tools/boundaries.spec.ts breaks each rule once. What no
// import shows, such as a clock, is ESLint's.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * What each project may import, beside packages of npm: an app its libs, a lib what lies below it,
 * nothing an app.
 */
const PROJECTS = {
  'apps/users-api': ['libs/domain', 'libs/service-kit'],
  'apps/blocks-api': ['libs/domain', 'libs/service-kit'],
  'apps/studio': [
    'libs/domain',
    'libs/service-kit',
    'libs/picture',
    'libs/client',
    'libs/elements',
  ],
  'apps/waymark': ['libs/domain', 'libs/picture', 'libs/local-postgres'],
  'libs/service-kit': ['libs/domain'],
  'libs/picture': ['libs/domain'],
  'libs/testing': ['libs/domain', 'libs/local-postgres'],
  'libs/client': [],
  'libs/elements': ['libs/client'],
  'libs/domain': [],
  'libs/local-postgres': [],
};
/** What tests may import besides: the testing lib stands on what it tests. */
const FOR_TESTS = ['libs/testing', 'libs/domain', 'libs/local-postgres'];

/**
 * The rooms of each project, ground first: a room imports only from rooms that stand before it.
 * Files beside the rooms, such as `index.ts` and `main.ts`, are the roof, unless `.` gives them
 * another place. docs/architecture.md shows the same list.
 */
const ROOMS = {
  'libs/domain/src': [
    'targeting',
    'engine',
    'flow-files',
    'database',
    'access',
    'users',
    'flows',
    'states',
    'events',
    'outbound',
    'delays',
    'analysis',
    'records',
    'schema',
  ],
  'libs/domain/src/targeting': ['json', 'values', 'language', 'evaluation', 'rows'],
  'libs/domain/src/engine': ['definition', 'language', 'state', 'attention', 'check', 'step'],
  'libs/domain/src/engine/check': ['graph', 'problems', 'rules'],
  'libs/domain/src/engine/step': ['walk', 'command', 'version'],
  'libs/domain/src/flow-files': [
    'text',
    'source',
    'shared-files',
    'keys',
    'rich-text',
    'personal-text',
    'read',
    'write',
    'translate',
    'diff',
    'schema',
    'types',
  ],
  'libs/domain/src/database': ['errors', 'audit'],
  'libs/domain/src/access': [
    'ended-sessions',
    'environment',
    'keys',
    'signers',
    'user-tokens',
    'guard',
  ],
  'libs/domain/src/flows': ['versions', 'shared-files', 'draft', 'publish', 'pins', 'catalogue'],
  'libs/domain/src/states': [
    'state',
    'read',
    'attention',
    'command',
    'history',
    'reset',
    'announce',
  ],
  'libs/domain/src/events': ['reader', 'export'],
  'libs/domain/src/outbound': ['sending', 'queue', 'execution', 'endpoints', 'delivery'],
  'libs/domain/src/schema': ['locks', 'migrations'],
  'libs/domain/src/analysis': ['reader', 'report', 'explain', 'plan', 'histories'],
  'libs/domain/src/analysis/report': ['.', 'split'],
  'libs/service-kit/src': ['limits', 'config', 'http', 'observability', 'bootstrap'],
  'libs/service-kit/src/http': ['headers', 'errors', 'body', '.', 'docs'],
  'libs/client/src': ['shapes', 'requests', 'commands', 'views', '.', 'react'],
  'libs/elements/src': ['texts', 'page', 'drawing', 'blocks', 'debug', '.', 'tag'],
  'libs/picture/src': ['graph', 'svg', 'text'],
  'libs/local-postgres/src': [],
  'libs/testing/src': [
    'ports',
    'postgres',
    'builders',
    'services',
    'nginx',
    'attacks',
    'browser',
    'citus',
    'failover',
    'fault-proxy',
    'properties',
    'sample-flows',
    'reference',
    'generators',
    'fixture',
    'attack-tests',
    'tokens',
  ],
  'apps/users-api/src': ['config', 'identify', 'track'],
  'apps/blocks-api/src': ['config', 'elements', 'live-bus', 'flows', 'outbound', 'live'],
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
    'conditions',
    'flows',
    'edit',
    'users',
    'shared-files',
    'operations',
    'see-it',
  ],
  'apps/studio/pages': [
    'see-it',
    'preview',
    'api',
    'router',
    'session',
    'controls',
    'condition',
    'users',
    'flows',
    'flow',
    'edit',
    'operations',
    'app',
  ],
  'apps/studio/pages/edit': ['draft', 'form', 'yaml'],
  'apps/waymark/src': [
    'refusal',
    'config',
    'output',
    'command-line',
    'local-stack',
    'mcp',
    'commands',
  ],
  'apps/waymark/src/commands': ['endpoint', 'events', 'flow', 'histories'],
  'apps/waymark/src/mcp': ['tools'],
  'apps/waymark/src/commands/flow': ['files', 'plan', 'commit', 'report'],
};
/** Folders that hold no code. */
const NO_ROOMS = ['fixtures'];

/** Rooms that use no framework, no database and no Node, and the packages that they may. */
const PURE = [
  'libs/domain/src/targeting',
  'libs/domain/src/engine',
  'libs/domain/src/flow-files',
  'libs/picture/src',
  // Errors in the words of the domain; those of PostgreSQL are told apart by their codes alone.
  'libs/domain/src/database/errors',
];
const PURE_PACKAGES = [
  '@dagrejs/dagre',
  '@noble/hashes',
  're2js',
  'yaml',
  'mdast-util-from-markdown',
  'mdast-util-to-markdown',
];
/** Types without a package of that name, and files that the build makes up. */
const UNRESOLVED = ['^mdast$', '^flow-examples/'];

const SPECS = String.raw`([.-]spec\.ts$|^(apps|libs)/[^/]+/e2e/)`;
/**
 * Where something starts: a program, a page, a file that `tools/` loads, and what a package
 * exports.
 */
const STARTS = [
  String.raw`^apps/[^/]+/src/(main|reader)\.ts$`,
  String.raw`^apps/waymark/src/local-stack/(parent-watchdog|development-database)\.ts$`,
  String.raw`^apps/waymark/src/command-line/list-commands\.ts$`,
  String.raw`^apps/studio/pages/(main\.tsx|see-it/see-it\.ts|preview/preview\.ts)$`,
  String.raw`^libs/.*/index\.ts$`,
  String.raw`^libs/(elements/src/tag/tag|testing/src/attacks/main)\.ts$`,
];
const CODE = String.raw`^(apps|libs)/[^/]+/(src|pages)/.*\.tsx?$`;
const DECLARATIONS = String.raw`\.d\.ts$`;

const literal = (text) => text.replaceAll('.', String.raw`\.`);
const below = (...folders) => `^(${folders.map(literal).join('|')})/`;

const projectRules = Object.entries(PROJECTS).flatMap(([project, allowed]) => [
  {
    name: `${project} imports its own libs only`,
    from: { path: below(project), pathNot: SPECS },
    to: { path: '^(apps|libs)/', pathNot: below(project, ...allowed) },
  },
  {
    name: `tests of ${project} import its own libs only`,
    from: { path: String.raw`^${literal(project)}/(e2e/|.*[.-]spec\.ts$)` },
    to: { path: '^(apps|libs)/', pathNot: below(project, ...allowed, ...FOR_TESTS) },
  },
]);

/** A room does not import from the rooms above it, nor from the roof. */
const roomRules = Object.entries(ROOMS).flatMap(([folder, rooms]) => {
  const roof = String.raw`${below(folder)}[^/]+\.tsx?$`;
  const pathOf = (room) => (room === '.' ? roof : below(`${folder}/${room}`));
  const order = rooms.includes('.') ? rooms : [...rooms, '.'];
  return order.slice(0, -1).map((room, index) => ({
    name: `${folder}/${room} imports from rooms below it only`,
    from: { path: pathOf(room), pathNot: SPECS },
    to: { path: order.slice(index + 1).map(pathOf) },
  }));
});

checkRooms();

export default {
  forbidden: [
    ...projectRules,
    ...roomRules,
    {
      name: 'files do not import each other in a circle',
      from: {},
      to: { circular: true },
    },
    {
      name: 'a project does not import itself by name, which would pass by its rooms',
      from: { path: '^((apps|libs)/[^/]+)/', pathNot: SPECS },
      to: { path: '^$1/', dependencyTypesNot: ['local'] },
    },
    {
      // So does what they import, since it lies in these rooms too.
      name: 'pure rooms import pure rooms and a few packages only',
      from: { path: below(...PURE), pathNot: SPECS },
      to: {
        pathNot: [below(...PURE), `node_modules/(${PURE_PACKAGES.join('|')})/`, ...UNRESOLVED],
      },
    },
    {
      name: 'generated cases come from libs/testing/src/properties, where their seed is set',
      from: { pathNot: '^libs/testing/' },
      to: { path: 'node_modules/fast-check/' },
    },
    {
      // A command, page or tool that no list names is not there for anybody.
      name: 'a file is used from where something starts',
      from: { path: STARTS },
      to: { path: CODE, pathNot: [SPECS, ...STARTS, DECLARATIONS], reachable: false },
    },
    {
      name: 'what is imported is there',
      from: {},
      to: { couldNotResolve: true, pathNot: UNRESOLVED },
    },
  ].map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};

/** Every folder with rooms is in the table, with all of them and no other. */
function checkRooms() {
  const found = Object.fromEntries(
    Object.keys(PROJECTS).flatMap((project) =>
      ['src', 'pages'].flatMap((code) => foldersWithRooms(`${project}/${code}`)),
    ),
  );
  const faults = [...new Set([...Object.keys(ROOMS), ...Object.keys(found)])].flatMap((folder) => {
    const [named, there] = [ROOMS, found].map((table) =>
      (table[folder] ?? []).filter((room) => room !== '.'),
    );
    return [
      ...there
        .filter((room) => !named.includes(room))
        .map((room) => `${folder}/${room} is not in it`),
      ...named
        .filter((room) => !there.includes(room))
        .map((room) => `${folder}/${room} is not there`),
    ];
  });
  if (faults.length > 0)
    throw new Error(`the table of rooms in .dependency-cruiser.mjs: ${faults.join(', ')}`);
}

function foldersWithRooms(folder) {
  const files = existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder), { recursive: true })
    : [];
  const folders = files
    .filter((file) => /\.tsx?$/.test(file) && !new RegExp(SPECS).test(file))
    .map((file) => `${folder}/${file}`.split('/').slice(0, -1));
  const rooms = folders.flatMap((names) =>
    names.flatMap((name, depth) => {
      const above = names.slice(0, depth).join('/');
      return above.startsWith(folder) && !NO_ROOMS.includes(name) ? [[above, name]] : [];
    }),
  );
  const table = {};
  for (const [above, room] of rooms) (table[above] ??= new Set()).add(room);
  return Object.entries(table).map(([above, names]) => [above, [...names]]);
}
