// Runs every test that can run on tables that Citus distributes, and says of the others why they
// are left out (G3). On a cluster it needs nothing but addresses, of superusers, that the servers
// reach each other by:
//   CITUS_URL=postgres://…@coordinator:5432/postgres \
//   CITUS_WORKERS=postgres://…@one:5432/postgres,postgres://…@two:5432/postgres npm run test:citus
// `npm run test:citus -- --rehearse` runs the same on plain PostgreSQL, with tables that pass for
// distributed ones; with `--short` it leaves out specs that send no statement of their own.
// Further arguments go to Jest. Exits as Jest does, with 3 where nothing was requested.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';

/** Folders and files whose specs have a database and know nothing of how its tables lie. */
const SUITE = [
  // On plain PostgreSQL it rehearses Citus by itself, in `npm test`.
  ...(process.env.CITUS_URL ? ['apps/waymark/e2e/every-path'] : []),
  'libs/domain/src/users/',
  'libs/domain/src/records/',
  'libs/domain/src/access/',
  'libs/domain/src/flows/',
  'libs/domain/src/states/',
  'libs/domain/src/delays/',
  'libs/domain/src/outbound/',
  'libs/domain/src/analysis/',
  'libs/domain/src/database/audit/',
];

/**
 * Of these, what a short rehearsal runs: specs of code that says a statement in another way where
 * tables are distributed, and those that send a statement which no other spec sends.
 */
const SHORT = [
  'libs/domain/src/access/guard/',
  'libs/domain/src/access/keys/',
  'libs/domain/src/analysis/plan/plan-flows',
  'libs/domain/src/analysis/plan/spread-states',
  'libs/domain/src/analysis/report/',
  'libs/domain/src/delays/',
  'libs/domain/src/flows/catalogue/',
  'libs/domain/src/flows/shared-files/',
  'libs/domain/src/outbound/',
  'libs/domain/src/records/find-users',
  'libs/domain/src/records/groups',
  'libs/domain/src/states/command/',
  'libs/domain/src/states/groups-of-user',
  'libs/domain/src/states/one-partition',
  'libs/domain/src/states/read/',
  'libs/domain/src/states/reset/reset-users',
  'libs/domain/src/users/',
];

/** Cases in number are for a cluster: a rehearsal shows that statements and tables are right. */
const IN_NUMBER = /\.slow\./;

/** Of these, what compares both forms of statements, of which a cluster takes one. */
const COMPARING = [
  'libs/domain/src/states/read/load-each.int-spec.ts',
  'libs/domain/src/analysis/plan/spread-states.int-spec.ts',
];

/**
 * Other specs with a database, and why they are not for distributed tables; of two places the
 * longer name decides.
 */
const LEFT_OUT = {
  'libs/domain/src/events/': 'events are followed on one server only',
  'libs/domain/src/outbound/delivery/': 'events are delivered on one server only',
  'libs/domain/src/outbound/list-given-up': 'endpoints are of one server only',
  'libs/domain/src/outbound/partitioned-log': 'Citus has partitions of its own',
  'libs/domain/src/schema/':
    'migrations and shapes of tables are tried on plain PostgreSQL, where Citus is rehearsed too',
  'libs/domain/src/states/announce/':
    'announcements are heard on one server, whatever tables lie on',
  'libs/domain/src/database/': 'the poll looks at transactions of one server',
  'libs/client/': 'the client talks to services, and knows nothing of tables',
  'libs/elements/': 'the elements talk to services, and know nothing of tables',
  'libs/local-postgres/': 'starts a PostgreSQL of its own',
  'libs/testing/': 'tests of the tests',
  'apps/':
    'services and command, of which every-path walks each route and command; these stop, slow down or swap the one server',
};

const SPEC = /\.(int|e2e)-spec\.ts$/;
const OWN_OPTIONS = ['--rehearse', '--short'];
const args = process.argv.slice(2);
const isRehearsed = args.includes('--rehearse');
const isShort = args.includes('--short');
const cluster = process.env.CITUS_URL;

if (!cluster && !isRehearsed) {
  console.error(
    'skipped: CITUS_URL has to be the address of the coordinator of a Citus cluster, and CITUS_WORKERS those of its workers, ' +
      'separated by commas; --rehearse does without a cluster',
  );
  process.exit(3);
}

const specs = ['apps', 'libs'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => `${root}/${file}`)
    .filter((file) => SPEC.test(file) && !/node_modules|\/dist\//.test(file)),
);
/** The longest of the places that the file is in, undefined where it is in none. */
const placeOf = (file) =>
  [...SUITE, ...Object.keys(LEFT_OUT)]
    .filter((place) => file.startsWith(place))
    .sort((one, other) => other.length - one.length)[0];
const chosen = specs.filter(
  (file) =>
    SUITE.includes(placeOf(file)) &&
    !(cluster ? COMPARING.includes(file) : IN_NUMBER.test(file)) &&
    (!isShort || SHORT.some((place) => file.startsWith(place))),
);
if (cluster)
  console.error(`left out: ${COMPARING.join(', ')}: a cluster takes one of the two forms`);
for (const [place, why] of Object.entries(LEFT_OUT)) {
  const left = specs.filter((file) => placeOf(file) === place).length;
  if (left > 0) console.error(`left out: ${left} of ${place}: ${why}`);
}
const unknown = specs.filter((file) => placeOf(file) === undefined);
for (const file of unknown)
  console.error(`left out: ${file}: neither chosen nor left out in tools/citus.mjs`);

const jest = spawn(
  process.execPath,
  ['tools/test.mjs', '--batches', ...chosen, ...args.filter((one) => !OWN_OPTIONS.includes(one))],
  {
    stdio: 'inherit',
    env: { ...process.env, ...(!cluster && { WAYMARK_TEST_CITUS: 'rehearsed' }) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
const [status] = await once(jest, 'exit');
process.exitCode = unknown.length > 0 ? 1 : (status ?? 1);
