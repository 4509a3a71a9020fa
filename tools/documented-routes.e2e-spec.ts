import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { call, type SpawnedService, spawnService } from '@waymark/testing/services';

const PAGE = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../docs/clients.md');
const section = readFileSync(PAGE, 'utf8').split('\n## Every route\n')[1]!.split('\n## ')[0]!;
const flowFile = /```yaml\n(.*?)```/s.exec(section)![1]!;

interface Example {
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** Headers, and what stands behind the empty line. */
function readMessage(text: string): { headers: Record<string, string>; body: string } {
  const [head = '', body = ''] = text.split(/\n\n(.*)/s);
  const lines = head.split('\n').filter((line) => line !== '');
  return {
    headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/s) as [string, string])),
    body: body.trim(),
  };
}

/**
 * `METHOD path`, headers, body; then the answer in the same form, whose body may follow its headers
 * at once.
 */
function readExample(text: string): Example {
  const [asked = '', answered = ''] = text.split(/\n\nHTTP\/1\.1 /);
  const [request = '', rest = ''] = asked.split(/\n(.*)/s);
  const [status = '', told = ''] = answered.split(/\n(.*)/s);
  const { headers, body } = readMessage(rest);
  const [, toldHeaders = '', toldBody = ''] = /^((?:[a-z-]+: .*\n)*)\n?(.*)$/s.exec(told)!;
  const answer = {
    status: Number(status),
    headers: readMessage(toldHeaders).headers,
    body: toldBody.trim(),
  };
  return { request, headers, body: body === '' ? undefined : body, answer };
}

const examples = [...section.matchAll(/^```http\n(.*?)^```/gms)].map(([, text]) =>
  readExample(text!),
);

/** What is printed, where `…` stands for any text. */
function expected(printed: unknown): unknown {
  if (typeof printed === 'string' && printed.includes('…'))
    return expect.stringMatching(
      new RegExp(`^${printed.split('…').map(escapeText).join('.+')}$`, 's'),
    );
  if (Array.isArray(printed)) return printed.map(expected);
  if (printed === null || typeof printed !== 'object') return printed;
  return Object.fromEntries(Object.entries(printed).map(([key, value]) => [key, expected(value)]));
}
const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

let database: TestDatabase;
let services: Record<'users' | 'blocks', SpawnedService>;
let keys: Record<'users' | 'blocks', string>;

beforeAll(async () => {
  database = await createTestDatabase();
  const dataSource = await database.connect();
  const { draft } = parseFlowFile(flowFile, { file: 'hello.yaml' });
  const commit = { message: 'first', migration: 'carry-over' } as const;
  await publishFlows(dataSource, [draft!], { by: 'test' }, commit);
  const keyOf = async (kind: 'users' | 'blocks') =>
    (await createKey(dataSource, { environment: 'development', kind }, { by: 'test' })).key;
  keys = { users: await keyOf('users'), blocks: await keyOf('blocks') };
  const settings = { DATABASE_URL: database.url, DOCS: 'on' };
  services = {
    users: await spawnService('users-api', settings),
    blocks: await spawnService('blocks-api', settings),
  };
});
afterAll(async () => {
  // All at once: one that is found wanting at its end must not leave the other behind.
  await Promise.all(Object.values(services).map((service) => service.stop()));
  await database.drop();
});

const kindOf = (request: string) => (/ \/(identify|track)/.test(request) ? 'users' : 'blocks');

describe('docs/clients.md', () => {
  test.each(examples.map((example) => [example.request, example] as const))(
    '%s is answered as it is printed',
    async (request, example) => {
      const { 'x-api-key': key = keys[kindOf(request)], ...headers } = example.headers;
      const answer = await call(services[kindOf(request)], request, {
        key,
        headers,
        body: example.body,
      });
      expect(answer.status).toBe(example.answer.status);
      expect(Object.fromEntries(answer.headers)).toMatchObject(
        expected(example.answer.headers) as object,
      );
      if (example.answer.body !== '')
        expect(answer.body).toEqual(expected(JSON.parse(example.answer.body)));
      else if (example.answer.status === 204) expect(answer.text).toBe('');
    },
  );

  test('has an example of every route of both services, and of how each refuses', async () => {
    const told = examples.map(({ request, answer }) => ({
      request: request.split('?')[0]!,
      isGood: answer.status < 400,
    }));
    const missing = [];
    for (const kind of ['users', 'blocks'] as const) {
      const { body } = await call(services[kind], 'GET /docs/json');
      for (const [route, operations] of Object.entries(
        (body as { paths: Record<string, object> }).paths,
      )) {
        for (const method of Object.keys(operations)) {
          const pattern = new RegExp(
            `^${method.toUpperCase()} ${route.replace(/\{\w+\}/g, '[^/]+')}$`,
          );
          const fitting = told.filter(({ request }) => pattern.test(request));
          const isPublic = route.startsWith('/health');
          if (
            !fitting.some(({ isGood }) => isGood) &&
            !section.includes(`\`${method.toUpperCase()} ${route}\``)
          )
            missing.push(`${method} ${route}`);
          if (!isPublic && !fitting.some(({ isGood }) => !isGood))
            missing.push(`an error of ${method} ${route}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });
});
