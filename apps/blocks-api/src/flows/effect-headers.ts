import type { CommandResult } from '@waymark/domain/states';
import type { FastifyReply } from 'fastify';

/** Tells the SDKs whether anything took effect (B9). */
const SIDE_EFFECTS = 'x-dopt-intent-side-effects';
/** Tells whether what a page shows is older than its own command (B14). */
const REVISION = 'x-waymark-revision';

/** Answers a command: by headers alone. */
export function setEffectHeaders(
  reply: FastifyReply,
  { tookEffect, revision }: CommandResult,
): void {
  reply.headers({ [SIDE_EFFECTS]: String(tookEffect), [REVISION]: String(revision) });
}
