import { type CompiledFlow, type FlowState, isActive, isRunning, isUntouched } from '../../engine/index.js';
import type { CommandOrRead } from '../../flow-states/command/advance.js';

/** Why a step took no effect, in a few words (S8 to S12). */
export function whyNot({ target, byUid }: CompiledFlow, state: FlowState, command: CommandOrRead): string {
  switch (command.kind) {
    case 'read':
    case 'start':
      if (!isUntouched(state))
        return isRunning(state) ? 'the user is in it already' : `the flow is ${endOf(state)}; a reset starts it again`;
      return target === 'api-only' ? 'it is api-only, so only a start with force lets anybody in' : 'the user does not qualify';
    case 'transition': {
      if (!isRunning(state)) return isUntouched(state) ? 'the flow is not started' : `the flow is ${endOf(state)}`;
      const id = byUid.get(command.block)?.id;
      return isActive(state, command.block) ? `there is nothing before ${id}` : `${id} is not active`;
    }
    case 'reset':
      return 'there is nothing to clear, and the user does not qualify';
    default:
      return `the flow is ${endOf(state)} already`;
  }
}

const endOf = ({ stopped }: FlowState): string => (stopped ? 'stopped' : 'finished');
