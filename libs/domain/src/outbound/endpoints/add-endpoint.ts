import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { checkEnvironmentName } from '../../access/environment/environments.js';
import { invalidRequest } from '../../database/errors/index.js';
import { Flow } from '../../flows/versions/flow-version.js';
import { makeWebhookSecret } from '../../access/environment/webhook-secret.js';
import { headerProblem } from '../../engine/definition/header-rules.js';
import { EVENT_TYPES, type EventType } from '../../events/reader/public-event.js';
import { ENDPOINT_FORMATS, Endpoint, type EndpointFormat } from './endpoint.js';
import { EndpointProgress } from './endpoint-progress.js';
import { findStart, type LogStart } from '../../events/reader/log-start.js';

/** What an endpoint is to be. */
export interface NewEndpoint {
  readonly name: string;
  readonly url: string;
  readonly format?: string;
  readonly flows?: readonly string[];
  readonly types?: readonly string[];
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly drafts?: boolean;
  /** From now on when left out. */
  readonly from?: LogStart;
}

/** What a URL loses in silence when it is read. */
const LOST_IN_URL = /^ | $|\p{Cc}/u;
/** Written by us in every request to an endpoint. */
const OWN_HEADERS = ['content-type', 'user-agent'];

/**
 * Makes an endpoint of an environment; running services deliver to it within seconds (E6). Throws
 * `request.invalid` for what cannot be, and for a name that is taken.
 */
export function addEndpoint(
  dataSource: DataSource,
  environmentId: string,
  wanted: NewEndpoint,
  author: Author,
): Promise<Endpoint> {
  const act = { action: 'endpoint.add', environmentId };
  return recordChange(dataSource, act, author, async (manager, notes) => {
    await check(manager, wanted);
    notes.subject = wanted.name;
    const endpoint = await insert(manager, environmentId, wanted);
    notes.result = { format: endpoint.format };
    return endpoint;
  });
}

async function insert(
  manager: EntityManager,
  environmentId: string,
  wanted: NewEndpoint,
): Promise<Endpoint> {
  const { name, url, flows = [], types = [], headers = [], drafts = false, from = 'now' } = wanted;
  if (await manager.existsBy(Endpoint, { environmentId, name }))
    throw invalidRequest(`there is an endpoint "${name}" in this environment already`);
  const { position, since } = await findStart(manager, from);
  const format = (wanted.format ?? 'standard') as EndpointFormat;
  const endpoint = await manager.save(
    manager.create(Endpoint, {
      ...{ environmentId, name, url, format, drafts, since },
      flows: [...flows],
      types: [...types] as EventType[],
      headers: [...headers],
      secret: format === 'standard' ? makeWebhookSecret() : null,
    }),
  );
  await manager.insert(EndpointProgress, { endpointId: endpoint.id, ...position });
  return endpoint;
}

async function check(
  manager: EntityManager,
  { name, url, format, flows, types, headers }: NewEndpoint,
): Promise<void> {
  checkEnvironmentName('endpoint', name);
  checkUrl(url);
  refuseOthers('format', format === undefined ? [] : [format], ENDPOINT_FORMATS);
  refuseOthers('type of event', types ?? [], EVENT_TYPES);
  for (const { name: header, value } of headers ?? []) checkHeader(header, value);
  for (const flow of flows ?? [])
    if (!(await manager.existsBy(Flow, { flow })))
      throw invalidRequest(`there is no flow ${JSON.stringify(flow)}`);
}

/** Without a name and a password, which every list would show. */
function checkUrl(text: string): void {
  const url = URL.canParse(text) && !LOST_IN_URL.test(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw invalidRequest(
      `${JSON.stringify(text)} is not an address to send to; write it in full: https://host/path`,
    );
  if (url.username || url.password)
    throw invalidRequest(
      'the address has a name or password in it; send them in a header: authorization: Basic …',
    );
}

function checkHeader(name: string, value: string): void {
  const problem = OWN_HEADERS.includes(name.toLowerCase())
    ? `the header ${name} is written by Waymark itself`
    : headerProblem(name, value);
  if (problem !== undefined) throw invalidRequest(problem);
}

function refuseOthers(what: string, given: readonly string[], allowed: readonly string[]): void {
  const unknown = given.find((text) => !allowed.includes(text));
  if (unknown !== undefined)
    throw invalidRequest(
      `there is no ${what} ${JSON.stringify(unknown)}; allowed are ${allowed.join(', ')}`,
    );
}
