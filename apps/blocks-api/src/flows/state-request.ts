import type { Caller } from '@waymark/domain/environments';
import { invalidRequest } from '@waymark/domain/errors';
import type { RequestTrace } from '@waymark/domain/flow-states';
import type { VersionRef } from '@waymark/domain/flows';
import { parseIdentifier } from '@waymark/domain/users';
import { findFlag, findOne, type Query } from '@waymark/service-kit/requests';
import { traceOf } from '@waymark/service-kit/headers';
import type { FastifyRequest } from 'fastify';
import { parseVersion } from './version-query.js';

/** Whose state a request is about, and who asks; `ApiKeyGuard` decides whether the two go together (V6). */
export interface ActorRequest {
  readonly caller: Caller;
  readonly user: string;
  readonly group?: string;
  readonly force?: boolean;
  readonly trace: RequestTrace;
}
/** What a request of this service is about: whose state, of which flow or block, in which version. */
export interface StateRequest extends ActorRequest {
  /** The identifier of a flow, the uid or sid of a block. */
  readonly id: string;
  readonly version: VersionRef;
  readonly idempotencyKey?: string;
}
export interface FlowReadRequest extends StateRequest {
  readonly withBlocks: boolean;
}
export interface IntentRequest extends StateRequest {
  readonly force: boolean;
}
export interface TransitionRequest extends StateRequest {
  /** As they were sent; what the block has is checked with it (S13). */
  readonly names: readonly string[];
}

type Request = FastifyRequest<{ Params: { sid?: string; uid?: string }; Querystring: Query }>;

// Each checks in the order of W9: body, then query.

export function parseFlowRead(request: Request): FlowReadRequest {
  return { ...parseBlockRead(request), withBlocks: wantsBlocks(request.query) };
}

export function parseBlockRead(request: Request): StateRequest {
  const { params, query } = request;
  const about = parseActor(request);
  const version = parseVersion(query);
  // What only some routes use is checked on all (W8).
  wantsBlocks(query);
  return { ...about, id: params.sid ?? params.uid ?? '', version };
}

/** The user, and the group if there is one (B3); `force`, which only some routes use, is checked on all (W8). */
export function parseActor(request: FastifyRequest<{ Querystring: Query }>): ActorRequest {
  const { caller, query } = request;
  const user = parseIdentifier(findOne(query, 'userIdentifier'), 'the query parameter userIdentifier');
  const group = findIdentifier(query, 'groupIdentifier');
  const force = findFlag(query, 'force');
  return { caller, user, trace: traceOf(request), ...(group !== undefined && { group }), ...(force && { force }) };
}

/** A start or reset. */
export function parseIntent(request: Request): IntentRequest {
  return { force: false, ...parseCommand(request) };
}

/** A stop or finish, which cannot be forced (B4). */
export function parseEnd(request: Request): StateRequest {
  const end = parseCommand(request);
  if (end.force) throw invalidRequest('the query parameter force cannot be true with stop or finish');
  return end;
}

export function parseTransition(request: Request): TransitionRequest {
  return { ...parseCommand(request), names: readNames(request.query) };
}

/** A body may be any object and is ignored, so that clients may send what they like (W4). */
function parseCommand(request: Request): StateRequest {
  const { body, headers } = request;
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw invalidRequest('the body has to be a JSON object, or none');
  const idempotencyKey = headers['idempotency-key'];
  const command = parseBlockRead(request);
  if (idempotencyKey === undefined) return command;
  if (typeof idempotencyKey === 'string' && /^[!-~]{1,128}$/.test(idempotencyKey)) return { ...command, idempotencyKey };
  throw invalidRequest('the header idempotency-key has to be 1 to 128 visible ASCII characters');
}

/** `include=block` (B8). */
export function wantsBlocks(query: Query): boolean {
  const include = findOne(query, 'include');
  if (include !== undefined && include !== 'block') throw invalidRequest('the query parameter include can only be block');
  return include === 'block';
}

function readNames({ transitions }: Query): readonly string[] {
  if (transitions === undefined) throw invalidRequest('the query parameter transitions has to be given at least once');
  return [transitions].flat();
}

function findIdentifier(query: Query, name: string): string | undefined {
  const text = findOne(query, name);
  return text === undefined ? undefined : parseIdentifier(text, `the query parameter ${name}`);
}
