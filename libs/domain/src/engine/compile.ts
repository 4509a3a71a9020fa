import { parseExpression } from '../targeting/index.js';
import { compileBlock, type PathsByName } from './compile-block.js';
import type { CompiledBlock, CompiledFlow, CompiledPath, ExposedBlock } from './compiled-flow.js';
import type { FlowDefinition, Path, Uid } from './definition.js';
import { EngineError } from './engine-error.js';
import { gateInputs } from './gate-inputs.js';

/**
 * Makes a stored definition ready for stepping; compile once, step as often as needed. Expects what `checkDefinition`
 * lets pass; throws an `EngineError` for targets that do not exist, an `ExpressionSyntaxError` for bad conditions.
 */
export function compile(definition: FlowDefinition): CompiledFlow {
  const inputs = gateInputs(definition);
  // Blocks first, their paths afterwards: paths may lead back.
  const paths = new Map<Uid, PathsByName>(definition.blocks.map((block) => [block.uid, new Map()]));
  const blocks: CompiledBlock[] = [];
  for (const block of definition.blocks) {
    blocks.push(...compileBlock(block, blocks.length, paths.get(block.uid) ?? new Map(), inputs.get(block.id) ?? new Set()));
  }
  const byIdentifier = new Map(blocks.map((block) => [block.id, block]));
  for (const block of definition.blocks) join(block, paths.get(block.uid), byIdentifier);
  return {
    definition,
    target: definition.target.users === 'matching' ? parseExpression(definition.target.when) : definition.target.users,
    start: definition.start.map((to, order) => ({ order, from: 'start', to: getTarget(byIdentifier, to) })),
    byUid: new Map(blocks.map((block) => [block.uid, block])),
    byIdentifier,
    exposed: blocks.filter((block): block is ExposedBlock => 'names' in block),
    hasBranch: blocks.some((block) => block.kind === 'branch'),
  };
}

function join(
  block: { uid: Uid; paths: readonly Path[] },
  byName: PathsByName = new Map(),
  byIdentifier: ReadonlyMap<string, CompiledBlock>,
): void {
  for (const [order, { names, to }] of block.paths.entries()) {
    const path: CompiledPath = { order, from: block.uid, to: getTarget(byIdentifier, to) };
    for (const name of new Set(names)) {
      const carrying = byName.get(name);
      if (carrying) carrying.push(path);
      else byName.set(name, [path]);
    }
  }
}

function getTarget(byIdentifier: ReadonlyMap<string, CompiledBlock>, id: string): CompiledPath['to'] {
  if (id === 'finish') return 'finish';
  const block = byIdentifier.get(id);
  if (!block) throw new EngineError('engine.invalid-definition', `a path leads to ${id}, which is no block of this flow`);
  return block;
}
