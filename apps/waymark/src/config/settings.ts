import { Refusal } from '../refusal/refusal.js';

/** The environment that a command is about where no other is named. */
export const DEFAULT_ENVIRONMENT = 'development';

/** What the command takes from its environment. */
export interface Settings {
  /** Undefined: the local stack's database. */
  databaseUrl: string | undefined;
  host: string;
  usersPort: number;
  blocksPort: number;
  /** Who the audit log names; undefined: the account. */
  by: string | undefined;
  /** As a script of a package, or by npx. */
  startedByNpm: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings once. Throws a `Refusal` that names a setting which is not right, without its value. */
export function readSettings(from: Environment = process.env): Settings {
  return {
    databaseUrl: databaseUrl(from['DATABASE_URL']?.trim()),
    host: from['HOST']?.trim() || '127.0.0.1',
    usersPort: port(from, 'USERS_PORT', 7070),
    blocksPort: port(from, 'BLOCKS_PORT', 7071),
    by: from['WAYMARK_BY']?.trim() || undefined,
    startedByNpm: from['npm_lifecycle_event'] !== undefined,
  };
}

/** The environment of child processes: that of this one, with other settings on top. */
export const childEnvironment = (settings: Record<string, string | undefined>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...settings,
});

function databaseUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (/^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)) return text;
  throw new Refusal('DATABASE_URL has to be an address such as postgres://user:password@host:5432/database', {
    status: 'unreachable',
  });
}

function port(from: Environment, name: string, fallback: number): number {
  const text = from[name]?.trim() || String(fallback);
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Refusal(`${name} has to be a port number from 0 to 65535; 0 is any free port`);
}
