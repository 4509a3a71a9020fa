import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setVerification } from '@waymark/domain/access';
import type { Field, FlowDefinition, TextPart } from '@waymark/domain/engine';
import { pinFlow } from '@waymark/domain/flows';
import { custom, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { RunningStudio } from '../src/start-studio.js';
import { openStudio, Visitor } from './studio-fixture.js';

let fixture: Fixture;
let studio: RunningStudio;
let readOnly: RunningStudio;
let editor: Visitor;
let viewer: Visitor;

beforeAll(async () => {
  fixture = await Fixture.open();
  studio = await openStudio(fixture);
  readOnly = await openStudio(fixture, { STUDIO_READ_ONLY: 'on' });
  editor = new Visitor(studio.url);
  await editor.enter(studio.address);
  viewer = new Visitor(readOnly.url);
  await viewer.enter(readOnly.address);
});
afterAll(async () => {
  await studio.stop();
  await readOnly.stop();
  await fixture.close();
});

const ask = async (request: string, body?: unknown, by = editor) => {
  const { status, text } = await by.ask(request, { body });
  return { status, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
};
const written = async (action: string): Promise<unknown[]> =>
  fixture.dataSource.query('SELECT by, subject FROM audit_log WHERE action = $1', [action]);

test('an endpoint is made, its secret shown once, and removed (T20, E6)', async () => {
  const wanted = { name: 'crm', url: 'https://crm.example.com', format: 'standard', from: 'now' };
  const address = '/api/development/endpoints';
  expect(await ask(`POST ${address}`, wanted)).toMatchObject({
    status: 200,
    body: { secret: expect.stringMatching(/^whsec_/) },
  });
  expect(await ask(`POST ${address}`, wanted)).toMatchObject({
    status: 400,
    body: { details: 'there is an endpoint "crm" in this environment already' },
  });
  const bad = { ...wanted, name: 'other', url: 'crm.example.com' };
  expect((await ask(`POST ${address}`, bad)).body).toMatchObject({
    details: expect.stringContaining('write it in full: https://host/path'),
  });
  const { body } = await ask(`GET ${address}`);
  expect(body).toMatchObject({ endpoints: [{ name: 'crm', url: wanted.url }] });
  expect(JSON.stringify(body)).not.toContain('whsec_');
  expect(await ask(`POST ${address}/crm/remove`)).toMatchObject({ status: 204 });
  expect((await ask(`GET ${address}`)).body).toMatchObject({ endpoints: [] });
  expect(await written('endpoint.add')).toContainEqual({ by: 'tester', subject: 'crm' });
});

test('a signer is made or added, listed without its private key, and removed (T20, V2)', async () => {
  const address = '/api/development/signers';
  const made = await ask(`POST ${address}`, { name: 'backend' });
  expect(made.body).toMatchObject({ privateKey: expect.stringContaining('PRIVATE KEY') });
  expect(await ask(`POST ${address}`, { name: 'other', publicKey: 'no key' })).toMatchObject({
    status: 400,
    body: { details: expect.stringContaining('PEM') },
  });
  const listed = (await ask(`GET ${address}`, undefined, viewer)).body;
  expect(listed).toMatchObject({ signers: [{ name: 'backend', algorithm: 'EdDSA' }] });
  expect(JSON.stringify(listed)).not.toContain('PRIVATE KEY');
  expect(await ask(`POST ${address}/remove`, { name: 'backend' })).toMatchObject({ status: 204 });
  expect(await ask(`POST ${address}/remove`, { name: 'backend' })).toMatchObject({
    status: 404,
    body: { details: expect.stringContaining('there are: none') },
  });
});

test('flows that show properties of users are told of until the environment verifies users (Z5, U6)', async () => {
  const parts = ['Hi ', { path: ['name'] }];
  const title = (parts?: TextPart[]): Field => ({
    ...{ sid: 'title', type: 'string', value: 'Hi' },
    ...(parts && { parts }),
  });
  const flow = (id: string, field: Field): FlowDefinition => ({
    ...defineFlow({ flow: id, blocks: { [`${id}-hi`]: custom({ ok: 'finish' }, [field]) } }),
    format: 2,
  });
  await fixture.commit(flow('plain', title()));
  await fixture.commit(flow('personal', title(parts)));
  await fixture.commit(flow('held', title()));
  await fixture.commit(flow('held', title(parts)));
  await pinFlow(fixture.dataSource, fixture.environmentId, 'held', 1, { by: 'tester' });
  await fixture.apply(flow('draft', title(parts)));
  const told = async () => (await ask('GET /api/development/open-texts', undefined, viewer)).body;
  expect(await told()).toEqual({ flows: ['personal'] });
  await setVerification(fixture.dataSource, 'development', 'required', { by: 'tester' });
  expect(await told()).toEqual({ flows: [] });
  expect((await ask('GET /api/production/open-texts')).body).toEqual({
    flows: ['held', 'personal'],
  });
});

test('the secret of webhooks is shown to editors alone, and changed (T20, E9)', async () => {
  const address = '/api/development/webhook-secret';
  expect(await ask(`POST ${address}/reveal`, {}, viewer)).toMatchObject({ status: 403 });
  const { secret } = (await ask(`POST ${address}/reveal`)).body!;
  const rotated = await ask(`POST ${address}/rotate`);
  expect(rotated.body!['secret']).toMatch(/^whsec_/);
  expect(rotated.body!['secret']).not.toBe(secret);
  expect((await ask(`POST ${address}/reveal`)).body).toEqual(rotated.body);
});
