import { flagsText } from '../../../output/flags.js';
import type { SimulatedEffect, SimulatedStep, Simulation } from '@waymark/domain/impact';

/** Each step with what came of it, one below the other. */
export function describeSimulation({ flow, steps }: Simulation): string {
  return [`${flow}, simulated; nothing was written`, ...steps.flatMap(describeStep)].join('\n');
}

function describeStep({ step, tookEffect, why, changes, active, state, effects }: SimulatedStep): string[] {
  if (!tookEffect) return [`${step}: no effect, since ${why}`];
  const branches = changes.flatMap((change) => (change.kind === 'branched' ? `${change.block} is ${change.outcome}` : []));
  return [
    `${step}: ${flagsText(state)}; active: ${active.join(', ') || 'nothing'}`,
    ...describeMoves(changes),
    ...(branches.length > 0 ? [`  branches: ${branches.join(', ')}`] : []),
    ...effects.map((effect) => `  ${describeEffect(effect)}`),
  ];
}

/** Which blocks were left, and which were come to. */
function describeMoves(changes: SimulatedStep['changes']): string[] {
  const moved = (kind: 'exited' | 'entered'): string[] => changes.flatMap((change) => (change.kind === kind ? change.block : []));
  const told = [
    ...(moved('exited').length > 0 ? [`left ${moved('exited').join(', ')}`] : []),
    ...(moved('entered').length > 0 ? [`entered ${moved('entered').join(', ')}`] : []),
  ];
  return told.length === 0 ? [] : [`  ${told.join('; ')}`];
}

function describeEffect(effect: SimulatedEffect): string {
  if (effect.kind === 'flow-trigger') return `${effect.block} would ${effect.intent} ${effect.flow} (${effect.version})`;
  const body = effect.body === undefined ? '' : ` with ${JSON.stringify(effect.body)}`;
  return `${effect.block} would send a POST to ${effect.url}${body}`;
}
