import type { BlockNames } from './block-names.js';
import type { PublicEvent } from './public-event.js';
import { publicEvents } from './public-events.js';
import type { LogStep } from './read-log.js';

/** A step with what others are told of it, which may be nothing. */
export interface ToldStep {
  readonly step: LogStep;
  readonly events: readonly PublicEvent[];
}

/** What others are told of steps of one environment, each version's names looked up once. */
export async function tellSteps(steps: readonly LogStep[], environment: string, names: BlockNames): Promise<ToldStep[]> {
  const known = new Map<string, Awaited<ReturnType<BlockNames['load']>>>();
  const told: ToldStep[] = [];
  for (const step of steps) {
    const key = `${step.flow}@${step.version}`;
    const nameOf = known.get(key) ?? (await names.load(step.flow, step.version));
    known.set(key, nameOf);
    told.push({ step, events: publicEvents(step, environment, nameOf) });
  }
  return told;
}
