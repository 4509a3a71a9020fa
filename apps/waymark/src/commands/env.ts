import type { Environment, VerificationMode } from '@waymark/domain/access';
import { Argument, Option } from 'commander';
import type { Command } from '../command-line/command.js';
import type { Session, TriedChange } from '../command-line/session.js';
import { table } from '../output/table.js';
import { CommandRefusal } from '../refusal/command-refusal.js';

export function addEnvCommand(program: Command): void {
  const env = program
    .command('env')
    .description('environments: separate worlds of users, groups, keys and states');
  env
    .command('list')
    .description('all environments')
    .operation(async (session) => {
      const { listEnvironments } = await import('@waymark/domain/access');
      print(session, await listEnvironments(await session.openOperatorDatabase()));
    });
  env
    .command('create <name>')
    .description('make another environment')
    .recorded('environment.create', async (session, name: string) => {
      const { createEnvironment } = await import('@waymark/domain/access');
      print(session, [
        await createEnvironment(await session.openOperatorDatabase(), name, session.author),
      ]);
    });
  addVerify(env);
  addReleases(env);
  addWebhookSecret(env);
}

function addWebhookSecret(env: Command): void {
  env
    .command('webhook-secret')
    .description('the secret that signs the webhooks of flow files in the environment')
    .option('--rotate', 'make a new one; for 24 hours the old one signs too')
    .recorded(triedRotation, async (session, { rotate = false }: RotateOptions) => {
      const { loadWebhookSecret, rotateWebhookSecret } = await import('@waymark/domain/access');
      const { dataSource, environmentId } = await session.openEnvironment();
      const secret = rotate
        ? await rotateWebhookSecret(dataSource, environmentId, session.author)
        : await loadWebhookSecret(dataSource, environmentId);
      const none = 'there is none yet, so webhooks are not signed; --rotate makes one';
      session.print({ environment: session.environment, secret }, secret ?? none);
    });
}

interface RotateOptions {
  rotate?: boolean;
}

const triedRotation = ({ rotate }: RotateOptions): TriedChange | null =>
  rotate ? { action: 'environment.rotate-webhook-secret' } : null;

/** The words of `VERIFICATION_MODES`, which the help must not load the domain for. */
const MODES = ['off', 'observe', 'required'] as const satisfies readonly VerificationMode[];

const WHAT = {
  off: 'not looked at',
  observe: 'counted, and nobody is refused',
  required: 'required',
};

function addVerify(env: Command): void {
  env
    .command('verify <name>')
    .description(
      'set whether user tokens behind public keys are ignored, counted or required (docs/identity.md)',
    )
    .addArgument(new Argument('<mode>', 'of the verification').choices(MODES))
    .recorded('environment.verify', async (session, name: string, mode: VerificationMode) => {
      const { listSigners, setVerification } = await import('@waymark/domain/access');
      const dataSource = await session.openOperatorDatabase();
      const signers = await listSigners(dataSource, name);
      if (mode === 'required' && signers.length === 0)
        await session.confirm(
          `${name} has no signer: every request with a public key will be refused.`,
        );
      const { verification } = await setVerification(dataSource, name, mode, session.author);
      session.print(
        { name, verification },
        `${name}: user tokens behind public keys are ${WHAT[verification]}`,
      );
    });
}

function addReleases(env: Command): void {
  env
    .command('releases <name>')
    .description('set whether a commit is live there at once, or once `flow pin` releases it')
    .addOption(
      new Option('--by-pin', '`latest` is only what is pinned there').conflicts('byCommit'),
    )
    .option('--by-commit', '`latest` is the newest commit again; pins stay')
    .recorded('environment.releases', async (session, name: string, options: ReleaseOptions) => {
      const byPin = options.byPin === true;
      if (!byPin && !options.byCommit)
        throw new CommandRefusal('say how: --by-pin or --by-commit', { status: 'usage' });
      const { setReleases } = await import('@waymark/domain/flows');
      const dataSource = await session.openOperatorDatabase();
      const { pinned } = await setReleases(dataSource, name, byPin, session.author);
      const text = byPin
        ? `latest is only what is pinned there; ${pinned} ${pinned === 1 ? 'flow was' : 'flows were'} pinned at what it was, \`waymark flow pin\` releases the next version`
        : 'latest is the newest commit again within a second, but for flows that are pinned, which `waymark flow unpin` ends';
      session.print({ name, releasesByPin: byPin, pinned }, `${name}: ${text}`);
    });
}

interface ReleaseOptions {
  byPin?: boolean;
  byCommit?: boolean;
}

function print(session: Session, found: Environment[]): void {
  const environments = found.map(({ name, verification, releasesByPin, createdAt }) => ({
    name,
    verification,
    releases: releasesByPin ? 'by pin' : 'by commit',
    createdAt,
  }));
  session.print({ environments }, table(environments, 'there are no environments'));
}
