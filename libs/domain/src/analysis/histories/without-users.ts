import {
  type Block,
  type BlockState,
  type Cause,
  type Change,
  EngineError,
  type FlowDefinition,
  type FlowState,
  isKnownState,
} from '../../engine/index.js';

/*
 * What may leave the installation. Members are named one by one, so that what a later release adds, such as what
 * users wrote, is left out by default: a new kind does not compile before it is handled.
 */

/**
 * How a version runs. Texts, conditions and webhooks may name people or hold secrets, and folding
 * needs none of them.
 */
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
    case 'delay':
      return { ...bare, type: 'delay', for: block.for };
    case 'branch':
      return { ...bare, type: 'branch', when: 'true' };
    case 'split':
      return { ...bare, type: 'split', by: block.by, ways: block.ways };
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

export function bareState(state: FlowState): FlowState {
  const { format, started, stopped, finished, blocks, gates, waiting } = state;
  if (!isKnownState(state))
    throw new EngineError('engine.unknown-format', `this is a state of format ${String(format)}`);
  const bare = Object.entries(blocks).map(([uid, block]) => [uid, bareBlockState(block)] as const);
  const known = { format, started, stopped, finished, blocks: Object.fromEntries(bare), gates };
  return { ...known, ...(waiting && { waiting }) };
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
    case 'condition':
      return { kind };
    case 'continue':
      return { kind, block: cause.block };
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
    case 'waited':
    case 'dropped':
      return { kind, block: change.block };
    case 'transitioned':
    case 'dropped-name':
      return { kind, block: change.block, name: change.name };
    case 'waiting':
      return { kind, block: change.block, until: change.until };
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
