import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { documentedParameters, type Query, queryReader } from '@waymark/service-kit/http';
import { fc } from '@waymark/testing/properties';
import { Ajv } from 'ajv';
import {
  EndQuery,
  FlowListQuery,
  FlowQuery,
  FlowTypesQuery,
  IntentQuery,
  StateQuery,
  TransitionQuery,
} from './queries.js';

const ajv = new Ajv();

/** Texts that parameters may have, right ones and wrong ones. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  userIdentifier: ['ada@example.com', '', 'x'.repeat(512), '😀'.repeat(512), 'x'.repeat(513)],
  groupIdentifier: ['acme', '', 'x'.repeat(513)],
  force: ['true', 'false', '', 'TRUE', '1'],
  language: ['de', 'de-CH,de;q=0.9'],
  version: ['0', '3', '12', '03', '-1', '1.5', '', 'latest', 'uncommitted', 'newest'],
  tag: ['latest', 'uncommitted', 'Latest', '3', ''],
  include: ['block', 'blocks', ''],
  transitions: ['complete', '', 'a,b'],
  flow: ['tour', 'tour@3', 'tips@latest', 'tips@uncommitted', 'a b', 'tour@', 'tour@03', ''],
};

/** Parameters that the class has, once, several times, or not at all. */
function anyQuery(names: readonly string[]): fc.Arbitrary<Query> {
  const sent = (name: string): fc.Arbitrary<string | string[] | undefined> => {
    const text = fc.constantFrom(...TEXTS[name]!);
    const right = fc.constant(TEXTS[name]![0]);
    const several = fc.array(text, { minLength: 2, maxLength: 3 });
    return fc.oneof(
      { arbitrary: right, weight: 4 },
      { arbitrary: text, weight: 3 },
      { arbitrary: several, weight: 1 },
      { arbitrary: fc.constant(undefined), weight: 3 },
    );
  };
  return fc.record(Object.fromEntries(names.map((name) => [name, sent(name)]))).map((query) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as Query;
  });
}

/** What no schema of one parameter can say: version or tag, and each flow once. */
function goesTogether({ version, tag, flow = [] }: Query, names: ReadonlySet<string>): boolean {
  if (names.has('version') && (version === undefined) === (tag === undefined)) return false;
  const flows = [flow].flat().map((name) => name.split('@')[0]);
  return new Set(flows).size === flows.length;
}

const CLASSES = {
  FlowQuery,
  StateQuery,
  IntentQuery,
  EndQuery,
  TransitionQuery,
  FlowListQuery,
  FlowTypesQuery,
};

describe.each(Object.entries(CLASSES))('%s', (_, type: new () => object) => {
  const documented = documentedParameters(type);
  const names = new Set(documented.keys());
  const checks = [...documented].map(([name, { required = true, schema }]) => {
    const fits = ajv.compile(schema);
    const isList = 'type' in schema && schema.type === 'array';
    return (query: Query): boolean => {
      const value = query[name];
      if (value === undefined) return !required;
      return fits(isList ? [value].flat() : value);
    };
  });
  const read = queryReader(type);

  test('takes exactly the queries that the docs describe', () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(anyQuery([...names]), (query) => {
        const isDescribed = checks.every((fits) => fits(query)) && goesTogether(query, names);
        outcomes.add(isDescribed);
        if (isDescribed) expect(() => read(query)).not.toThrow();
        else expect(() => read(query)).toThrow('the query parameter');
      }),
      { numRuns: 300 },
    );
    expect(outcomes).toEqual(new Set([true, false]));
  });
});

test('every parameter is described by a class whose routes use it (W8)', () => {
  const source = readFileSync(new URL('./queries.ts', import.meta.url), 'utf8');
  const named = [...source.matchAll(/^ {2}(\w+)[?!]?: .*;$/gm)].map(([, name]) => name!);
  const parameters = named.filter((name) => new RegExp(`\\)\\n {2}${name}[?!]?:`).test(source));
  const described = Object.values(CLASSES).flatMap((type) => [
    ...documentedParameters(type).keys(),
  ]);
  expect(parameters.length).toBeGreaterThan(6);
  expect(parameters.filter((name) => !described.includes(name))).toEqual([]);
});

test('what a query class inherits is read first, and of several wrong parameters always the same is told (W9)', () => {
  const wrong = { userIdentifier: 'ada', version: '03', include: 'all', force: 'true' };
  const read = queryReader(EndQuery);
  expect(() => read(wrong)).toThrow('the query parameter version');
  expect(() => read({ ...wrong, version: '3' })).toThrow('the query parameter include');
  const forced = { ...wrong, version: '3', include: 'block' };
  expect(() => read(forced)).toThrow('force cannot be true with stop or finish');
  expect(read({ ...forced, force: 'false' })).toMatchObject({ version: 3, force: false });
});

test('parameters that make no difference to a route are checked there too (W8)', () => {
  const right = { userIdentifier: 'ada', version: '3' };
  const read = queryReader(FlowQuery);
  expect(() => read({ ...right, force: 'yes' })).toThrow('force has to be true or false');
  expect(read({ ...right, force: 'true', language: 'de' })).toEqual({
    userIdentifier: 'ada',
    groupIdentifier: undefined,
    force: true,
    language: 'de',
    version: 3,
    include: undefined,
  });
});

test('docs/clients.md names every parameter (B1)', () => {
  const docs = readFileSync('docs/clients.md', 'utf8');
  const described = Object.values(CLASSES).flatMap((type) => [
    ...documentedParameters(type).keys(),
  ]);
  expect(
    described.filter((name) => !new RegExp('[`?&]' + name + String.raw`\b`).test(docs)),
  ).toEqual([]);
});
