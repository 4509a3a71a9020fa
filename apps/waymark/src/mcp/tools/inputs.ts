import { z } from 'zod';

/** What a page has at most, and without being asked. */
export const PAGE = { most: 1_000, usual: 100 };
/** As far into a list as a page begins. */
const FARTHEST = 900_000;

/** As no command line and no stored text can hold U+0000. */
export const word = z
  .string()
  .refine((value) => !value.includes('\0'), { error: 'U+0000 cannot be in a text' });

export const environment = word
  .min(1)
  .describe('Name of the environment, such as production; there is no default');
export const flow = word.min(1).describe('Identifier of the flow');
export const user = word.min(1).describe('Identifier of the user in the environment');
export const wholeNumber = z.number().int().min(0).max(999_999_999);
export const version = wholeNumber.describe('Version of the flow; 0 is the draft');
export const text = z.string().describe('The whole text of a flow file (YAML)');
export const when = z
  .string()
  .describe('Only users for whom this condition holds, as in `when` of flow files');
export const moment = word.describe(
  'A time: 2026-05-01, 2026-05-01T12:00:00Z, or 30d for so long ago',
);
export const reason = word.optional().describe('Why, for the audit log');
export const migration = z.enum([
  'carry-over',
  'restart-in-progress',
  'restart-all',
  'stop-in-progress',
]);

/** Of a long list. */
export const paged = {
  limit: z.number().int().min(1).max(PAGE.most).default(PAGE.usual).describe('Entries at most'),
  offset: z
    .number()
    .int()
    .min(0)
    .max(FARTHEST)
    .default(0)
    .describe('Entries to leave out; the answer says the next one in `next`'),
};
