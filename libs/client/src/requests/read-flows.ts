import type { FlowReference } from '../shapes/flows.js';
import { type Access, type Call, createCalls, toQuery } from './request.js';
import type { FlowsAnswer } from '../shapes/wire.js';

export const loadFlows = async (call: Call, names: readonly string[]): Promise<FlowsAnswer> =>
  (await call(`flows?include=block&${toQuery('flow', names)}`)).json() as Promise<FlowsAnswer>;

/**
 * Reads flows once, on a server: starts those the user qualifies for. The answer is plain JSON, for
 * `initial` of `createWaymark` in the browser. Throws a WaymarkError, also if the answer is not one
 * of the service.
 */
export async function readFlows({
  flows,
  ...access
}: Access & { readonly flows: readonly FlowReference[] }): Promise<FlowsAnswer> {
  const answer = await loadFlows(createCalls(access)[0], flows);
  for (const { blocks } of answer.flows) blocks!.map(({ sid, fields }) => sid + fields.length);
  return answer;
}
