import { z } from 'zod';
import { CommandRefusal } from '../../refusal/command-refusal.js';
import { environment, flow, migration, reason, text, user, version, when, word } from './inputs.js';
import { type Line, TEXT, tool } from './tool.js';

const force = z.boolean().default(false).describe('Start again whatever the targeting');

/** All users with a state in that version, or those for whom a condition holds. */
const many = { environment, flow, version, when: when.optional(), force };

interface Many {
  readonly flow: string;
  readonly version: number;
  readonly when?: string | undefined;
  readonly force: boolean;
}

const resetOf = ({ flow, version, when, force }: Many, more: Line['options']): Line => ({
  command: 'reset',
  operands: [flow],
  options: { version, when, all: when === undefined, force, ...more },
});

/** What changes something, each by a permission of its own. */
export const CHANGING_TOOLS = [
  tool({
    name: 'flow_save_draft',
    title: 'A draft is saved',
    description:
      'Stores the text as the draft of its flow. Refused unless the draft is still the text with the hash that flow_export told; none for a flow that is not there yet.',
    permission: 'draft',
    shape: { environment, text, hash: z.string().regex(/^(none|[0-9a-f]{64})$/), reason },
    work: ({ text, hash, reason }) => ({
      command: 'flow apply',
      operands: [TEXT],
      options: { 'if-match': hash },
      text,
      reason,
    }),
  }),
  tool({
    name: 'flow_commit',
    title: 'A draft is committed',
    description:
      'Makes the draft the next version, live in every environment that does not pin another one or release by pin. Where users would be restarted or stopped it is refused with a sentence for each environment, to be repeated in `confirmed`.',
    permission: 'commit',
    shape: {
      environment,
      flow,
      message: word.min(1).describe('What the commit changes'),
      migration: migration.default('carry-over'),
      confirmed: z.array(z.string()).max(1_000).default([]),
      reason,
    },
    work: ({ flow, message, migration, confirmed, reason }) => ({
      command: 'flow commit',
      operands: [flow],
      options: { message, migration },
      confirmed,
      reason,
    }),
  }),
  tool({
    name: 'reset_user',
    title: 'A user is reset',
    description: 'Forgets the state of one user in a version of a flow, and starts it again.',
    permission: 'reset',
    shape: { environment, flow, version, user, force, reason },
    work: ({ flow, version, user, force, reason }) => ({
      command: 'reset',
      operands: [flow],
      options: { version, user, force },
      confirmed: true,
      reason,
    }),
  }),
  tool({
    name: 'reset_count',
    title: 'Users that a reset would be for',
    description: 'How many users reset_users would be for; nothing is reset.',
    permission: 'reset',
    shape: many,
    work: (input) => resetOf(input, { 'dry-run': true }),
  }),
  tool({
    name: 'reset_users',
    title: 'Users are reset',
    description:
      'Resets everybody with a state in that version, or those for whom `when` holds. Refused unless `count` is the number of them that is counted now, as `matched` of reset_count.',
    permission: 'reset',
    shape: { ...many, count: z.number().int().min(0), reason },
    async check({ count, ...input }, run) {
      const { matched } = await run(resetOf(input, { 'dry-run': true }));
      if (matched !== count)
        throw new CommandRefusal(
          `count is ${count}, but it would be for ${String(matched)} users now; nothing was reset`,
        );
    },
    work: ({ reason, ...input }) => ({ ...resetOf(input, {}), confirmed: true, reason }),
  }),
];
