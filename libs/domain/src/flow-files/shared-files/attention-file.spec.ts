import { describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '../read/parse-flow-file.js';
import { formatAttentionFile, parseAttentionFile } from './attention-file.js';

const FILE = `groups:
  announcements:
    at-once: 1
    limit: { starts: 2, per: 7 days }
    pause: 1 day
    idle: 36 hours
  "007":
    pause: 90 minutes
  counted: {}
`;
const DAY = 86_400_000;

const problemsOf = (text: string) =>
  parseAttentionFile(text, { file: 'a' }).problems.map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  );

describe('the file of attention groups', () => {
  test('is read, and written so that it is read again as the same (Q1)', () => {
    const { content: groups } = parseAttentionFile(FILE, { file: 'a' });
    expect([...groups!]).toEqual([
      [
        'announcements',
        { atOnce: 1, limit: { starts: 2, per: 7 * DAY }, pause: DAY, idle: 1.5 * DAY },
      ],
      ['007', { pause: DAY / 16 }],
      ['counted', {}],
    ]);
    const again = parseAttentionFile(formatAttentionFile(groups!), { file: 'a' });
    expect(again).toEqual({ content: groups, problems: [] });
  });

  test('is refused with all that is wrong with it, and where (Q1)', () => {
    expect(
      problemsOf(
        'groups:\n  a b: { at-once: 0 }\n  c: { limit: { starts: 101, per: 8 weeks } }\n  d: { pause: 366 days }\n  e: { idle: 1 day, never: 1 }\n  f: { limit: { starts: 1 } }\n',
      ),
    ).toEqual([
      '2:3 attention.bad-group',
      '2:19 attention.bad-count',
      '3:25 attention.bad-count',
      '3:35 attention.bad-duration',
      '4:15 attention.bad-duration',
      '5:8 attention.idle-alone',
      '5:21 key.unknown',
      '6:8 key.missing',
    ]);
    expect(problemsOf('')).not.toEqual([]);
    expect(problemsOf('[]')).not.toEqual([]);
    expect(problemsOf('{}')).toEqual(['1:1 key.missing']);
  });
});

describe('attention in a flow file', () => {
  const parse = (attention: string) =>
    parseFlowFile(
      `flow: f\nattention: ${attention}\nstart: a\nblocks: { a: { type: modal, paths: { complete: finish } } }\n`,
      { file: 'f', known: { groups: new Set(['news']) } },
    );

  test('makes it a flow of format 2, which older replicas refuse (Q1, R17)', () => {
    expect(parse('{ group: news, priority: 10 }')).toMatchObject({
      draft: { format: 2, attention: { group: 'news', priority: 10 } },
      problems: [],
    });
  });

  test.each([
    ['{ group: nws }', 'warning attention.unknown-group'],
    ['{ group: a b }', 'error attention.bad-group'],
    ['{ group: news, priority: 1001 }', 'error attention.bad-priority'],
    ['{ group: news, priority: 1.5 }', 'error attention.bad-priority'],
    ['{ priority: 1 }', 'error key.missing'],
    ['news', 'error value.not-map'],
  ])('%s is told of as %s (Q1)', (text, problem) => {
    const told = parse(text).problems.map(({ severity, code }) => `${severity} ${code}`);
    expect(told).toEqual([problem]);
  });
});
