import type { Caller } from '@waymark/domain/access';
import type { Answer } from '@waymark/domain/engine';
import { invalidRequest } from '@waymark/domain/database/errors';
import type { RequestTrace } from '@waymark/domain/states';
import type { VersionRef } from '@waymark/domain/flows';
import { type Query, queryReader, traceOf } from '@waymark/service-kit/http';
import type { FastifyRequest } from 'fastify';
import {
  type ActorQuery,
  EndQuery,
  FlowListQuery,
  FlowQuery,
  FlowTypesQuery,
  IntentQuery,
  type NamedFlow,
  StateQuery,
  TransitionQuery,
} from './queries.js';
import { TransitionBody } from './transition-body.js';

/**
 * The user of the state, and the caller; `ApiKeyGuard` decides whether the caller may act for the
 * user (V6).
 */
export interface ActorRequest {
  readonly caller: Caller;
  readonly user: string;
  readonly group?: string;
  readonly force?: boolean;
  /** A list such as Accept-Language; what it means depends on the flow (X2). */
  readonly languages?: string;
  readonly trace: RequestTrace;
}
/**
 * What a request of this service is about: whose state, of which flow or block, in which version.
 */
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
  readonly names: readonly string[];
  readonly data?: Answer;
}
export interface FlowListRequest extends ActorRequest {
  readonly flows: readonly NamedFlow[];
  readonly withBlocks: boolean;
}
export interface FlowTypesRequest {
  /** Says what `latest` means (S34). */
  readonly environmentId: string;
  readonly flows: readonly NamedFlow[];
}

type Request = FastifyRequest<{ Params: { sid?: string; uid?: string }; Querystring: Query }>;

const readFlowQuery = queryReader(FlowQuery);
const readBlockQuery = queryReader(StateQuery);
const readIntentQuery = queryReader(IntentQuery);
const readEndQuery = queryReader(EndQuery);
const readTransitionQuery = queryReader(TransitionQuery);
const readListQuery = queryReader(FlowListQuery);
const readTypesQuery = queryReader(FlowTypesQuery);

// Each checks in the order of W9: body, then query, then the headers of a command.

export function parseFlowRead(request: Request): FlowReadRequest {
  const query = readFlowQuery(request.query);
  return { ...stateRequest(request, query), withBlocks: query.include === 'block' };
}

export const parseBlockRead = (request: Request): StateRequest =>
  stateRequest(request, readBlockQuery(request.query));

/** A start or reset. */
export const parseIntent = (request: Request): IntentRequest => ({
  force: false,
  ...commandRequest(request, readIntentQuery).command,
});

/** A stop or finish. */
export const parseEnd = (request: Request): StateRequest =>
  commandRequest(request, readEndQuery).command;

export function parseTransition(request: Request): TransitionRequest {
  const { data } = new TransitionBody(bodyOf(request));
  const { command, query } = commandRequest(request, readTransitionQuery);
  return { ...command, names: query.transitions, ...(data && { data }) };
}

export function parseFlowList(request: Request): FlowListRequest {
  const query = readListQuery(request.query);
  const { flow: flows, include } = query;
  return { ...actorRequest(request, query), flows, withBlocks: include === 'block' };
}

/** Of flows alone, no user's. */
export const parseTypesRequest = ({ caller, query }: Request): FlowTypesRequest => ({
  environmentId: caller.environmentId,
  flows: readTypesQuery(query).flow,
});

/** A body may be any object, so that clients may send what they like (W4). */
function bodyOf({ body }: Request): object | undefined {
  if (body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body)))
    return body;
  throw invalidRequest('the body has to be a JSON object, or none');
}

function commandRequest<Parsed extends StateQuery>(
  request: Request,
  read: (query: Query) => Parsed,
): { command: StateRequest; query: Parsed } {
  bodyOf(request);
  const { headers } = request;
  const query = read(request.query);
  const command = stateRequest(request, query);
  const idempotencyKey = headers['idempotency-key'];
  if (idempotencyKey === undefined) return { command, query };
  if (typeof idempotencyKey === 'string' && /^[!-~]{1,128}$/.test(idempotencyKey))
    return { command: { ...command, idempotencyKey }, query };
  throw invalidRequest('the header idempotency-key has to be 1 to 128 visible ASCII characters');
}

function stateRequest(request: Request, query: StateQuery): StateRequest {
  const { sid, uid } = request.params;
  return { ...actorRequest(request, query), id: sid ?? uid ?? '', version: query.version };
}

function actorRequest(request: Request, query: ActorQuery): ActorRequest {
  const { userIdentifier, groupIdentifier, force } = query;
  // A header that is no list of languages is ignored (X2).
  const languages = query.language ?? request.headers['accept-language'];
  return {
    caller: request.caller,
    user: userIdentifier,
    trace: traceOf(request),
    ...(groupIdentifier !== undefined && { group: groupIdentifier }),
    ...(force && { force }),
    ...(languages !== undefined && { languages }),
  };
}
