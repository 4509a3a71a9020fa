import { parseExpression, type SegmentTexts } from '../../targeting/index.js';
import type {
  CompiledBlock,
  CompiledContainer,
  CompiledItem,
  CompiledPath,
} from './compiled-flow.js';
import type { Block, Container, Item, Uid } from './definition.js';
import { transitionNames } from './names.js';

/**
 * The paths of a block by their names; filled after all blocks exist, since paths lead to blocks.
 */
export type PathsByName = Map<string, CompiledPath[]>;

/**
 * Turns a block of a definition into the form that the engine walks through; a container is
 * followed by its items.
 */
export function compileBlock(
  block: Block,
  order: number,
  paths: PathsByName,
  inputs: ReadonlySet<Uid | 'start'>,
  segments: SegmentTexts | undefined,
): readonly CompiledBlock[] {
  const { uid, id, fields } = block;
  const base = { uid, id, order, paths };
  switch (block.type) {
    case 'branch':
      return [{ kind: 'branch', ...base, condition: parseExpression(block.when, segments) }];
    case 'split': {
      const { by, ways } = block;
      return [{ kind: 'split', ...base, by, ways }];
    }
    case 'gate':
      return [{ kind: 'gate', ...base, inputs }];
    case 'webhook': {
      const { url, headers, body } = block;
      return [
        {
          kind: 'effect',
          ...base,
          effect: {
            kind: 'webhook',
            block: uid,
            url,
            headers,
            ...(body !== undefined && { body }),
          },
        },
      ];
    }
    case 'delay':
      return [{ kind: 'delay', ...base, for: block.for }];
    case 'flow-trigger': {
      const { flow, intent, version } = block;
      return [
        {
          kind: 'effect',
          ...base,
          effect: { kind: 'flow-trigger', block: uid, flow, intent, version },
        },
      ];
    }
    case 'checklist':
    case 'tour':
    case 'hints':
      return compileContainer(block, order, paths);
    default:
      return [{ kind: 'plain', type: block.type, ...base, fields, names: transitionNames(block) }];
  }
}

function compileContainer(
  block: Container,
  order: number,
  paths: PathsByName,
): readonly CompiledBlock[] {
  const { type, uid, id, fields } = block;
  const items: CompiledItem[] = [];
  const container: CompiledContainer = {
    kind: 'container',
    type,
    uid,
    id,
    order,
    fields,
    names: transitionNames(block),
    paths,
    items,
  };
  for (const [position, item] of block.items.entries())
    items.push(compileItem(item, container, position));
  return [container, ...items];
}

function compileItem(
  { type, uid, id, fields, ...item }: Item,
  container: CompiledContainer,
  position: number,
): CompiledItem {
  const order = container.order + position + 1;
  const names = transitionNames({ type, ...item });
  return {
    kind: 'item',
    type,
    uid,
    id,
    order,
    fields,
    names,
    container,
    containerUid: container.uid,
    position,
  };
}
