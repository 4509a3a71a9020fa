import { z } from 'zod';
import { CommandRefusal } from '../../refusal/command-refusal.js';
import {
  environment,
  flow,
  migration,
  moment,
  paged,
  text,
  user,
  version,
  when,
  wholeNumber,
  word,
} from './inputs.js';
import { TEXT, tool } from './tool.js';

const draftOrVersion = version.default(0);

const events = z
  .record(
    z.string(),
    z.union([
      wholeNumber,
      z.strictObject({ count: wholeNumber, first: moment.optional(), last: moment.optional() }),
    ]),
  )
  .describe('As if the user had done this, on top of what they did: how often, by name');

const history = z
  .strictObject({
    inProgress: z.record(z.string(), moment).optional().describe('Flows, with when last touched'),
    starts: z.array(moment).max(1_000).optional().describe('When flows of the group started'),
    ended: moment.optional().describe('When one last ended'),
  })
  .describe('What happened in the attention group of the flow; that of the user without it');

/** Tools that read flows. */
export const FLOW_TOOLS = [
  tool({
    name: 'flow_list',
    title: 'Flows',
    description: 'Every flow with its versions and where it is pinned, archived ones too.',
    shape: { environment, ...paged },
    list: 'flows',
    work: () => ({ command: 'flow list' }),
  }),
  tool({
    name: 'flow_show',
    title: 'A version of a flow',
    description: 'A version of a flow with its blocks and paths; the draft without a version.',
    shape: { environment, flow, version: draftOrVersion },
    work: ({ flow, version }) => ({ command: 'flow show', operands: [flow], options: { version } }),
  }),
  tool({
    name: 'flow_export',
    title: 'The text of a flow',
    description: 'The text of the flow file, with the hash that flow_save_draft asks for.',
    shape: { environment, flow, version: draftOrVersion },
    work: ({ flow, version }) => ({
      command: 'flow export',
      operands: [flow],
      options: { version },
    }),
  }),
  tool({
    name: 'flow_diff',
    title: 'What changed between two versions',
    description: 'What changed from one version to another, in words.',
    shape: { environment, flow, from: version, to: draftOrVersion },
    list: 'differences',
    work: ({ flow, from, to }) => ({
      command: 'flow diff',
      operands: [flow, String(from), String(to)],
    }),
  }),
  tool({
    name: 'flow_validate',
    title: 'Problems of a text',
    description: 'Every check of the text of a flow file; nothing is stored.',
    shape: { environment, text, complete: z.boolean().default(false) },
    work: ({ text, complete }) => ({
      command: 'flow validate',
      operands: [TEXT],
      options: { complete },
      text,
    }),
  }),
  tool({
    name: 'flow_explain',
    title: 'Why a user sees it or not',
    description: 'Why a user sees what they see of a flow, and why not.',
    shape: { environment, flow, user, group: word.optional(), version: version.optional() },
    work: ({ flow, user, group, version }, allowed) => ({
      command: 'flow explain',
      operands: [flow, user],
      options: { group, version, 'no-values': !allowed.has('properties') },
    }),
  }),
  tool({
    name: 'flow_plan',
    title: 'What a commit would do',
    description: 'What committing this text would do to users; nothing is written.',
    shape: {
      environment,
      text,
      migration: migration.or(z.literal('all')).default('carry-over'),
      entries: z.boolean().default(false).describe('Also who would enter, and who no longer would'),
      sample: wholeNumber.min(1).max(999_999).optional().describe('Users that are looked at'),
    },
    work: ({ text, migration, entries, sample }) => ({
      command: 'flow plan',
      operands: [TEXT],
      options: { migration, entries, sample },
      text,
    }),
  }),
  tool({
    name: 'flow_simulate',
    title: 'A walk through a draft',
    description:
      'Walks through the draft of a flow as a user would; nothing is written. A step is read, start, reset, stop, finish or BLOCK:NAME[,NAME], such as welcome:complete, or +2 days, which lets time pass.',
    shape: {
      environment,
      flow,
      steps: z.array(z.string().min(1)).min(1).max(1_000),
      user: user.optional(),
      properties: z.record(z.string(), z.unknown()).optional().describe('On top of the user’s'),
      at: moment.optional(),
      force: z.boolean().default(false).describe('Start and reset whatever the targeting'),
      history: history.optional(),
      events: events.optional(),
      ways: z
        .array(z.string().min(1))
        .max(100)
        .optional()
        .describe('Along these ways of splits, each SPLIT:WAY; without it, those of the user'),
    },
    work: ({ flow, steps, user, properties, at, force, history, events, ways }) => ({
      command: 'flow simulate',
      operands: [refuseFile(flow), ...steps],
      options: {
        user,
        at,
        force,
        properties: properties && JSON.stringify(properties),
        history: history && JSON.stringify(history),
        events: events && JSON.stringify(events),
        way: ways,
      },
    }),
  }),
  tool({
    name: 'flow_report',
    title: 'Where users are in a flow',
    description: 'Where users are in a flow, how far they came, and where they were lost.',
    shape: {
      environment,
      flow,
      version: version.or(z.literal('all')).optional(),
      since: moment.optional(),
      when: when.optional(),
      sample: wholeNumber.min(1).max(999_999).optional().describe('Users that are counted'),
      split: z
        .string()
        .min(1)
        .optional()
        .describe('What became of people by the way that this split sent them'),
      goal: z
        .string()
        .min(1)
        .optional()
        .describe('With split: the goal is that this condition holds'),
      goalPath: z
        .string()
        .min(1)
        .optional()
        .describe('With split: the goal is that this BLOCK.NAME was taken'),
    },
    work: ({ flow, goalPath, ...options }) => ({
      command: 'flow report',
      operands: [flow],
      options: { ...options, 'goal-path': goalPath, environment: undefined },
    }),
  }),
  tool({
    name: 'attention_show',
    title: 'Flows that take turns',
    description:
      'The attention groups, which are the same in all environments: how many flows of a group start by themselves, and which flows name it.',
    shape: { environment },
    work: () => ({ command: 'attention show' }),
  }),
  tool({
    name: 'segment_show',
    title: 'Segments',
    description:
      'The segments, which are the same in all environments: the condition of each, which other conditions mention as segment("NAME"), and which flows do.',
    shape: { environment },
    work: () => ({ command: 'segment show' }),
  }),
];

/** The command takes a name with a dot or a slash for a file; an agent reads none. */
function refuseFile(flow: string): string {
  if (!/[./\\]/.test(flow)) return flow;
  throw new CommandRefusal(
    `${JSON.stringify(flow)} is not the identifier of a flow: it has neither dots nor slashes`,
  );
}
