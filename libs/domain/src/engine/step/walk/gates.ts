import type { CompiledGate, CompiledPath } from '../../definition/compiled-flow.js';
import { gateState } from '../../state/inspect-state.js';
import type { StepRecorder } from './step-recorder.js';
import type { FlowState } from '../../state/state.js';

/**
 * Keeps what arrived, and passes once everything has (S16); returns the paths behind the gate if it
 * passed.
 */
export function arriveAtGate(
  step: StepRecorder,
  gate: CompiledGate,
  from: CompiledPath['from'],
): readonly CompiledPath[] {
  const isNew = gate.inputs.has(from) && !gateState(step.state, gate.uid).includes(from);
  if (isNew) step.record({ kind: 'received', gate: gate.uid, from });
  return passIfComplete(step, gate);
}

/** A gate that has passed in this step keeps what arrives later for its next passing (S16, S20). */
export function passIfComplete(step: StepRecorder, gate: CompiledGate): readonly CompiledPath[] {
  if (!isComplete(step.state, gate) || !step.claim(gate)) return [];
  step.record({ kind: 'passed', gate: gate.uid });
  return gate.paths.get('default') ?? [];
}

function isComplete(state: FlowState, gate: CompiledGate): boolean {
  const received = gateState(state, gate.uid);
  for (const input of gate.inputs) if (!received.includes(input)) return false;
  return true;
}
