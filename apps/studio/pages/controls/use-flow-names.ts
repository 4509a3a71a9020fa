import type { ListedFlow } from '@waymark/domain/flows';
import { path } from '../api/call.js';
import { useAnswer } from './loaded.js';

/**
 * What people call flows, by identifier; the identifier where a flow has no name, or until names
 * are loaded (T16).
 */
export function useFlowNames(environment: string): (flow: string) => string {
  const { value } = useAnswer<{ flows: ListedFlow[] }>(path`/api/${environment}/flows`);
  const names = new Map(value?.flows.map(({ flow, name }) => [flow, name]));
  return (flow) => names.get(flow) ?? flow;
}
