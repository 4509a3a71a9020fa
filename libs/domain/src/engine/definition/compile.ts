import { parseDate, parseExpression } from '../../targeting/index.js';
import { compileBlock, type PathsByName } from './compile-block.js';
import type {
  CompiledBlock,
  CompiledDone,
  CompiledFlow,
  CompiledPath,
  ExposedBlock,
} from './compiled-flow.js';
import {
  type Block,
  EXPOSED_TYPES,
  type FlowDefinition,
  isKnownFormat,
  type Item,
  LOGIC_TYPES,
} from './definition.js';
import { EngineError } from './engine-error.js';
import { gateInputs } from './gate-inputs.js';
import { insertedProperties } from './insertions.js';
import { partsOf } from './parts.js';

/**
 * Makes a stored definition ready for stepping; compile once, step as often as needed. Expects what
 * `checkDefinition` lets pass; throws an `EngineError` for targets that do not exist and for what a
 * newer release made (R17), an `ExpressionSyntaxError` for bad conditions.
 */
export function compile(definition: FlowDefinition): CompiledFlow {
  refuseNewer(definition);
  const inputs = gateInputs(definition);
  const blocks: CompiledBlock[] = [];
  const leading = definition.blocks.map((block) => {
    const paths: PathsByName = new Map();
    const inputsOfBlock = inputs.get(block.id) ?? new Set();
    blocks.push(...compileBlock(block, blocks.length, paths, inputsOfBlock, definition.segments));
    return { block, paths };
  });
  const byIdentifier = new Map(blocks.map((block) => [block.id, block]));
  // Paths come after all blocks, since they may lead back.
  for (const { block, paths } of leading) addPaths(paths, block, byIdentifier);
  const target =
    definition.target.users === 'matching'
      ? parseExpression(definition.target.when, definition.segments)
      : definition.target.users;
  const conditions = blocks.flatMap((block) => (block.kind === 'branch' ? block.condition : []));
  if (typeof target === 'object') conditions.push(target);
  const done = partsOf(definition).flatMap((part) =>
    compileDone(part, byIdentifier, definition.segments),
  );
  conditions.push(...done.map(({ when }) => when));
  return {
    definition,
    target,
    from: momentOf(definition.target.from, -Infinity),
    until: momentOf(definition.target.until, Infinity),
    end: momentOf(definition.end, Infinity),
    start: definition.start.map((to, order) => ({
      order,
      from: 'start',
      to: getTarget(byIdentifier, to),
    })),
    byUid: new Map(blocks.map((block) => [block.uid, block])),
    byIdentifier,
    exposed: blocks.filter((block): block is ExposedBlock => 'names' in block),
    hasBranch: blocks.some((block) => block.kind === 'branch'),
    hasSplit: blocks.some((block) => block.kind === 'split'),
    mentionsGroup: conditions.some((condition) => condition.mentionsGroup),
    inserted: insertedProperties(definition),
    done,
    events: [...new Set(conditions.flatMap((condition) => condition.events))],
  };
}

/** Null only for what `checkDefinition` does not let pass. */
const momentOf = (date: string | undefined, without: number): number =>
  date === undefined ? without : (parseDate(date) ?? without);

const BLOCK_TYPES: ReadonlySet<string> = new Set([...EXPOSED_TYPES, ...LOGIC_TYPES]);

/** Passing over what it does not know, this version would lose users on their way (R17). */
function refuseNewer(definition: FlowDefinition): void {
  const refuse = (what: string) =>
    new EngineError('engine.unknown-format', `cannot compile ${what}`);
  if (!isKnownFormat(definition.format))
    throw refuse(`a flow of format ${String(definition.format)}`);
  for (const { id, type } of partsOf(definition))
    if (!BLOCK_TYPES.has(type)) throw refuse(`${id}, which is of the type ${type}`);
}

function compileDone(
  part: Block | Item,
  byIdentifier: ReadonlyMap<string, CompiledBlock>,
  segments: FlowDefinition['segments'],
): CompiledDone[] {
  const block = byIdentifier.get(part.id);
  if (!('done' in part) || !part.done || (block?.kind !== 'plain' && block?.kind !== 'item'))
    return [];
  return [{ block, when: parseExpression(part.done.when, segments), take: part.done.take }];
}

function addPaths(
  byName: PathsByName,
  block: Block,
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

function getTarget(
  byIdentifier: ReadonlyMap<string, CompiledBlock>,
  id: string,
): CompiledPath['to'] {
  if (id === 'finish') return 'finish';
  const block = byIdentifier.get(id);
  if (!block)
    throw new EngineError(
      'engine.invalid-definition',
      `a path leads to ${id}, which is not a block of this flow`,
    );
  return block;
}
