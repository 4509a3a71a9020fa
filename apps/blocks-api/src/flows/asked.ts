import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Asker } from '@waymark/domain/flow-states';
import type { VersionAsked } from '@waymark/domain/flows';
import { parseIdentifier } from '@waymark/domain/users';
import type { Query } from '@waymark/service-kit/requests';
import type { FastifyRequest } from 'fastify';
import { findFlag, findOne, invalid, parseVersion } from './version-query.js';

/** What a request of this service asks: who, of which flow or block, in which version. */
export interface Asked {
  readonly asker: Asker;
  /** The identifier of a flow, the uid or sid of a block. */
  readonly id: string;
  readonly version: VersionAsked;
  readonly idempotencyKey?: string;
}
export interface AskedFlow extends Asked {
  readonly withBlocks: boolean;
}
export interface AskedIntent extends Asked {
  readonly force: boolean;
}
export interface AskedTransition extends Asked {
  /** As they were sent; what the block has is checked with it (S13). */
  readonly names: readonly string[];
}

type AskingRequest = FastifyRequest<{ Params: { sid?: string; uid?: string }; Querystring: Query }>;

/** Hands a handler what its request asks, checked in the order of W9: body, then query. */
const asking = <T>(read: (request: AskingRequest) => T) =>
  createParamDecorator((_: unknown, context: ExecutionContext) => read(context.switchToHttp().getRequest<AskingRequest>()));

export const AskedFlow = asking((request): AskedFlow => ({ ...readAsked(request), withBlocks: readInclude(request.query) }));
export const AskedBlock = asking(readAsked);
export const AskedIntent = asking((request): AskedIntent => ({
  ...readCommand(request),
  force: findFlag(request.query, 'force') ?? false,
}));
/** As an intent that cannot be forced (B4). */
export const AskedEnd = asking((request): Asked => {
  const asked = readCommand(request);
  if (findFlag(request.query, 'force')) throw invalid('the query parameter force cannot be true with stop or finish');
  return asked;
});
export const AskedTransition = asking((request): AskedTransition => ({
  ...readCommand(request),
  names: readNames(request.query),
}));

function readAsked({ caller, params, query }: AskingRequest): Asked {
  const user = parseIdentifier(findOne(query, 'userIdentifier'), 'the query parameter userIdentifier');
  const group = findIdentifier(query, 'groupIdentifier');
  const asker = { environmentId: caller.environmentId, user, ...(group !== undefined && { group }) };
  return { asker, id: params.sid ?? params.uid ?? '', version: parseVersion(query) };
}

/** A body may be any object and is ignored, so that clients may send what they like (W4). */
function readCommand(request: AskingRequest): Asked {
  const { body, headers } = request;
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw invalid('the body has to be a JSON object, or none');
  const idempotencyKey = headers['idempotency-key'];
  const asked = readAsked(request);
  if (idempotencyKey === undefined) return asked;
  if (typeof idempotencyKey === 'string' && /^[!-~]{1,128}$/.test(idempotencyKey)) return { ...asked, idempotencyKey };
  throw invalid('the header idempotency-key has to be 1 to 128 visible ASCII characters');
}

function readInclude(query: Query): boolean {
  const include = findOne(query, 'include');
  if (include !== undefined && include !== 'block') throw invalid('the query parameter include can only be block');
  return include === 'block';
}

function readNames({ transitions }: Query): readonly string[] {
  if (transitions === undefined) throw invalid('the query parameter transitions has to be given at least once');
  return [transitions].flat();
}

function findIdentifier(query: Query, name: string): string | undefined {
  const text = findOne(query, name);
  return text === undefined ? undefined : parseIdentifier(text, `the query parameter ${name}`);
}
