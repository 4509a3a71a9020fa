import { readFile } from 'node:fs/promises';
import type { Command } from '../command-line/command.js';
import { readingFailure } from '../output/write-output.js';
import { CommandRefusal } from '../refusal/command-refusal.js';

export function addSignerCommand(program: Command): void {
  const signer = program
    .command('signer')
    .description(
      'who may vouch for users in user tokens (docs/identity.md); several at once, so rotation needs no downtime',
    );
  addAddCommand(signer);
  addCreate(signer);
  signer
    .command('list')
    .description('the signers of the environment')
    .operation(async (session) => {
      const { listSigners } = await import('@waymark/domain/access');
      const signers = await listSigners(await session.openOperatorDatabase(), session.environment);
      session.printOf({ signers }, session.table(signers, 'there are no signers'));
    });
  signer
    .command('remove <name>')
    .description('no longer take its tokens; running services refuse them within a second')
    .recorded('signer.remove', async (session, name: string) => {
      const { removeSigner } = await import('@waymark/domain/access');
      const { environment } = session;
      await removeSigner(
        await session.openOperatorDatabase(),
        { environment, name },
        session.author,
      );
      session.print(
        { name, environment, removed: true },
        `removed: signer ${name} of ${environment}`,
      );
    });
}

function addAddCommand(signer: Command): void {
  signer
    .command('add <name>')
    .description('take the tokens of this signer too; their "kid" is its name')
    .requiredOption(
      '--public-key <file>',
      'PEM or JWK; Ed25519, P-256 or RSA of at least 2048 bits',
    )
    .recorded(
      'signer.add',
      async (session, name: string, { publicKey: file }: { publicKey: string }) => {
        const publicKey = await readFile(file, 'utf8').catch((error: unknown) => {
          throw new CommandRefusal(`${file} cannot be read: ${readingFailure(error)}`);
        });
        const { addSigner } = await import('@waymark/domain/access');
        const { environment } = session;
        const added = await addSigner(
          await session.openOperatorDatabase(),
          { environment, name, publicKey },
          session.author,
        );
        session.print(
          added,
          `added: signer ${name} of ${environment}, ${added.algorithm}, ${added.fingerprint}`,
        );
      },
    );
}

function addCreate(signer: Command): void {
  signer
    .command('create <name>')
    .description('make an Ed25519 pair, add its public key and print the private one, this once')
    .recorded('signer.add', async (session, name: string) => {
      const { createSigner } = await import('@waymark/domain/access');
      const { environment } = session;
      const made = await createSigner(
        await session.openOperatorDatabase(),
        { environment, name },
        session.author,
      );
      session.print(made, made.privateKey.trimEnd());
      session.note(
        `signer ${name} of ${environment}; keep the private key, it is not shown again and not stored`,
      );
    });
}
