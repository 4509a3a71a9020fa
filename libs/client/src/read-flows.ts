import type { FlowReference } from './flows.js';
import { loadFlows } from './reader.js';
import { type Access, createCalls } from './request.js';
import type { FlowsAnswer } from './wire.js';

/**
 * Reads flows once, on a server: starts those the user qualifies for. The answer is plain JSON, for `initial` of
 * `createWaymark` in the browser. Throws a WaymarkError.
 */
export const readFlows = ({ flows, ...access }: Access & { readonly flows: readonly FlowReference[] }): Promise<FlowsAnswer> =>
  loadFlows(createCalls(access)[0], flows);
