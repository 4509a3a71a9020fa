import {
  type Block,
  type BlockState,
  type Cause,
  type Change,
  EngineError,
  type FlowDefinition,
  type FlowState,
} from '../../engine/index.js';

/*
 * What may leave the installation. Members are named one by one, so that what a later release records besides, such as what
 * users wrote, stays here until somebody has decided otherwise: a new kind does not compile.
 */

/** How a version runs. Texts, conditions and webhooks may name people or hold secrets, and folding needs none of them. */
export function bareDefinition({
  format,
  flow,
  target,
  start,
  blocks,
}: FlowDefinition): FlowDefinition {
  return {
    format,
    flow,
    target: target.users === 'matching' ? { ...target, when: 'true' } : target,
    start,
    blocks: blocks.map(bareBlock),
  };
}

function bareBlock(block: Block): Block {
  const { id, uid, paths } = block;
  const bare = { id, uid, paths, fields: [] };
  switch (block.type) {
    case 'custom':
    case 'card':
    case 'modal':
    case 'gate':
      return { ...bare, type: block.type, ...(block.names && { names: block.names }) };
    case 'checklist':
    case 'tour':
    case 'hints': {
      const items = block.items.map(({ id, uid, type }) => ({ id, uid, type, fields: [] }));
      return { ...bare, type: block.type, items };
    }
    case 'branch':
      return { ...bare, type: 'branch', when: 'true' };
    case 'webhook':
      return { ...bare, type: 'webhook', url: 'https://webhook.invalid', headers: [] };
    case 'flow-trigger': {
      const { flow, intent, version } = block;
      return { ...bare, type: 'flow-trigger', flow, intent, version };
    }
    default:
      throw unknown(block, 'a block of the type');
  }
}

export function bareState({ format, started, stopped, finished, blocks, gates }: FlowState) {
  if (Number(format) !== 1)
    throw new EngineError('engine.unknown-format', `this is a state of format ${String(format)}`);
  const bare = Object.entries(blocks).map(([uid, block]) => [uid, bareBlockState(block)] as const);
  return { format, started, stopped, finished, blocks: Object.fromEntries(bare), gates };
}

function bareBlockState({
  active,
  entered,
  exited,
  transitioned,
  ...rest
}: BlockState): BlockState {
  rest satisfies Record<string, never>;
  return {
    ...(active && { active }),
    ...(entered && { entered }),
    ...(exited && { exited }),
    ...(transitioned && { transitioned }),
  };
}

export function bareCause(cause: Cause): Cause {
  const { kind } = cause;
  switch (kind) {
    case 'start':
    case 'reset':
      return { kind, force: cause.force };
    case 'stop':
    case 'finish':
    case 'edited':
    case 'ended':
      return { kind };
    case 'transition':
      return { kind, block: cause.block, names: cause.names };
    case 'restored':
      return { kind, revision: cause.revision };
    case 'migrated':
      return { kind, from: cause.from, strategy: cause.strategy };
    default:
      throw unknown(cause, 'an event of the kind');
  }
}

export function bareChange(change: Change): Change {
  const { kind } = change;
  switch (kind) {
    case 'cleared':
      return { kind };
    case 'flow': {
      const { started, stopped, finished } = change;
      const flags = Object.entries({ started, stopped, finished });
      return { kind, ...Object.fromEntries(flags.filter(([, value]) => value !== undefined)) };
    }
    case 'entered':
    case 'exited':
    case 'deactivated':
    case 'effected':
    case 'dropped':
      return { kind, block: change.block };
    case 'transitioned':
    case 'dropped-name':
      return { kind, block: change.block, name: change.name };
    case 'branched':
      return { kind, block: change.block, outcome: change.outcome };
    case 'received':
    case 'dropped-input':
      return { kind, gate: change.gate, from: change.from };
    case 'passed':
      return { kind, gate: change.gate };
    case 'carried':
      return { kind, state: bareState(change.state) };
    default:
      throw unknown(change, 'a change of the kind');
  }
}

/** A newer release wrote it, which runs beside this one during an upgrade (R17). */
function unknown(document: never, what: string): EngineError {
  const { kind, type } = document as { kind?: string; type?: string };
  return new EngineError('engine.unknown-format', `this is ${what} ${String(kind ?? type)}`);
}
