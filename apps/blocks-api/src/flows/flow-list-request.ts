import { invalidRequest } from '@waymark/domain/errors';
import { IDENTIFIER_PATTERN } from '@waymark/domain/engine';
import type { VersionRef } from '@waymark/domain/flows';
import type { FastifyRequest } from 'fastify';
import type { Query } from '@waymark/service-kit/requests';
import { MOST_FLOWS } from './api-state-request.js';
import { type ActorRequest, parseActor, wantsBlocks } from './state-request.js';

export interface FlowTypesRequest {
  /** Says what `latest` means (S34). */
  readonly environmentId: string;
  readonly flows: readonly NamedFlow[];
}

/** A flow of a list, in a version. */
export interface NamedFlow {
  /** As it was asked for, such as `onboarding@3`. */
  readonly name: string;
  readonly flow: string;
  readonly version: VersionRef;
}

export interface FlowListRequest extends ActorRequest {
  readonly flows: readonly NamedFlow[];
  readonly withBlocks: boolean;
}

const NAME = new RegExp(`^(${IDENTIFIER_PATTERN})(?:@(0|[1-9][0-9]*|latest|uncommitted))?$`);

export function parseFlowList(request: FastifyRequest<{ Querystring: Query }>): FlowListRequest {
  const { query } = request;
  return { ...parseActor(request), flows: parseFlowNames(query), withBlocks: wantsBlocks(query) };
}

/** Of flows alone, no user's. */
export const parseTypesRequest = ({ caller, query }: FastifyRequest<{ Querystring: Query }>): FlowTypesRequest => ({
  environmentId: caller.environmentId,
  flows: parseFlowNames(query),
});

/** `flow=NAME[@VERSION]`, 1 to 50 times, each flow once; the version is `latest` where none is given (B13). */
export function parseFlowNames({ flow }: Query): NamedFlow[] {
  const flows = (flow === undefined ? [] : [flow].flat()).map(parseName);
  if (flows.length < 1 || flows.length > MOST_FLOWS)
    throw invalidRequest(`the query parameter flow has to be given 1 to ${MOST_FLOWS} times, here ${flows.length}`);
  const names = flows.map((one) => one.flow);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw invalidRequest(`the query parameter flow names ${twice} twice`);
  return flows;
}

function parseName(name: string): NamedFlow {
  const [, flow, version = 'latest'] = NAME.exec(name) ?? [];
  if (flow === undefined)
    throw invalidRequest(
      `the query parameter flow has to be NAME or NAME@VERSION, a whole number from 0, latest or uncommitted, not ${JSON.stringify(name.slice(0, 200))}`,
    );
  return { name, flow, version: version === 'latest' || version === 'uncommitted' ? version : Number(version) };
}
