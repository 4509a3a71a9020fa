import { checkNames, commandFor, type CompiledFlow, INTENTS } from '../../engine/index.js';
import { invalidRequest } from '../../errors/index.js';
import type { CommandOrRead } from '../../flow-states/command/advance.js';

/**
 * What a step asks for: `read`, an intent, or `BLOCK:NAME[,NAME]`. Throws `request.invalid` that says what there is; names
 * hold neither colons nor commas (S3).
 */
export function parseStep(flow: CompiledFlow, text: string, force: boolean): CommandOrRead {
  if (text === 'read') return { kind: 'read', starts: true };
  const intent = INTENTS.find((known) => known === text);
  if (intent) return commandFor(intent, force);
  const [id = '', names] = text.split(':');
  if (names === undefined) throw invalidRequest(`${text} is not a step; write read, ${INTENTS.join(', ')} or BLOCK:NAME`);
  const block = flow.byIdentifier.get(id);
  if (!block || !('names' in block))
    throw invalidRequest(`${text}: there is no block ${id} that users see; ${describeBlocks(flow)}`);
  const checked = checkNames(block, names.split(','));
  if ('problem' in checked) throw invalidRequest(`${text}: ${checked.problem}`);
  return { kind: 'transition', block: block.uid, names: checked.names };
}

const describeBlocks = ({ exposed }: CompiledFlow): string =>
  exposed.length === 0 ? 'it has none' : `it has ${exposed.map(({ id }) => id).join(', ')}`;
