import { Expose, plainToInstance, Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Max, Min, ValidateBy, validateSync } from 'class-validator';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { DEFAULT_ENVIRONMENT } from './default-environment.js';

/** A member that is read from an environment variable; an empty text counts as not given. */
const From = (name: string, read: (text: string) => unknown = (text) => text): PropertyDecorator =>
  function (target, member) {
    Expose({ name })(target, member);
    Transform(
      ({ value }) =>
        typeof value === 'string' && value.trim() !== '' ? read(value.trim()) : undefined,
      {
        toClassOnly: true,
      },
    )(target, member);
    IsOptional()(target, member);
  };

const readFlag = (text: string): unknown =>
  ['on', 'true', '1'].includes(text) || (['off', 'false', '0'].includes(text) ? false : text);
const readPort = (text: string): unknown => (/^\d{1,5}$/.test(text) ? Number(text) : text);
const isPostgresUrl = (value: unknown): boolean =>
  typeof value === 'string' && /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value);

/** A port of the local stack, or 0 for any free one. */
function Port(name: string): PropertyDecorator {
  const wrong = { message: `${name} has to be a port number from 0 to 65535; 0 is any free port` };
  return (target, member) => {
    for (const decorate of [From(name, readPort), IsInt(wrong), Min(0, wrong), Max(65_535, wrong)])
      decorate(target, member!);
  };
}

/** What the command takes from its environment. */
export class Settings {
  /** Undefined: the local stack's database. */
  @From('DATABASE_URL')
  @ValidateBy(
    { name: 'postgresUrl', validator: { validate: isPostgresUrl } },
    {
      message:
        'DATABASE_URL has to be an address such as postgres://user:password@host:5432/database',
    },
  )
  readonly databaseUrl?: string;

  /** Off behind a pooler that cannot keep prepared statements, as for the services. */
  @From('PREPARED_STATEMENTS', readFlag)
  @IsBoolean({ message: 'PREPARED_STATEMENTS has to be on or off' })
  readonly preparedStatements: boolean = true;

  @From('HOST')
  readonly host: string = '127.0.0.1';

  @Port('USERS_PORT')
  readonly usersPort: number = 7070;

  @Port('BLOCKS_PORT')
  readonly blocksPort: number = 7071;

  @Port('STUDIO_PORT')
  readonly studioPort: number = 7072;

  /** Who the audit log names; undefined: the account. */
  @From('WAYMARK_BY')
  readonly by?: string;

  /** The environment that a command is about where `--env` names none. */
  @From('WAYMARK_ENV')
  readonly environment: string = DEFAULT_ENVIRONMENT;

  /** As a script of a package, or by npx. */
  @From('npm_lifecycle_event', () => true)
  readonly startedByNpm: boolean = false;
}

/**
 * Reads the settings once. Throws a `CommandRefusal` that names every setting that is not right,
 * without its value.
 */
export function readCommandSettings(
  from: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const settings = plainToInstance(Settings, from, {
    excludeExtraneousValues: true,
    exposeUnsetFields: false,
  });
  const problems = validateSync(settings);
  if (problems.length === 0) return settings;
  const isAboutDatabase = problems.some(({ property }) => property === 'databaseUrl');
  throw new CommandRefusal(
    problems.map(({ constraints = {} }) => Object.values(constraints)[0]).join('; '),
    {
      status: isAboutDatabase ? 'unreachable' : 'refused',
    },
  );
}
