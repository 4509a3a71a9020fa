import type { SimulatedEffect, SimulatedStep, Simulation } from '@waymark/domain/impact';

/** Each step with what came of it, one below the other. */
export function describeSimulation({ flow, steps }: Simulation): string {
  return [`${flow}, simulated; nothing was written`, ...steps.flatMap(describeStep)].join('\n');
}

function describeStep({ step, tookEffect, changes, active, state, effects }: SimulatedStep): string[] {
  if (!tookEffect) return [`${step}: no effect`];
  const branches = changes.flatMap((change) => (change.kind === 'branched' ? `${change.block} is ${change.outcome}` : []));
  const flags = (['started', 'stopped', 'finished'] as const).filter((flag) => state[flag]).join(', ') || 'clean';
  return [
    `${step}: ${flags}; active: ${active.join(', ') || 'nothing'}`,
    ...(branches.length > 0 ? [`  branches: ${branches.join(', ')}`] : []),
    ...effects.map((effect) => `  ${describeEffect(effect)}`),
  ];
}

function describeEffect(effect: SimulatedEffect): string {
  if (effect.kind === 'flow-trigger') return `${effect.block} would ${effect.intent} ${effect.flow} (${effect.version})`;
  const body = effect.body === undefined ? '' : ` with ${JSON.stringify(effect.body)}`;
  return `${effect.block} would send a POST to ${effect.url}${body}`;
}
