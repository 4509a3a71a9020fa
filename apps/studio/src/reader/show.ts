import {
  type BlockState,
  compile,
  EMPTY_STATE,
  exposedBlocks,
  type FlowDefinition,
  type FlowState,
  insertedValues,
  isActive,
  type Uid,
} from '@waymark/domain/engine';
import type { Subject } from '@waymark/domain/targeting';
import { type BlockView, flowJson, type FlowView } from '@waymark/domain/states';

/** The blocks of a draft that users see, as applications get them. */
export interface ShownBlocks {
  flow: string;
  /** Of the texts; left out for a flow in one language only. */
  language?: string;
  /** All that the flow has; empty for a flow in one language only. */
  languages: string[];
  /** Those that are active, a container with all of its items. */
  blocks: BlockView[];
}

/**
 * A block as if it were active, the first one that users see where it is not named; of a tour or
 * hints with one item, of a checklist as far as one.
 */
export function show(
  definition: FlowDefinition,
  { block, item, language }: { block?: string; item?: string; language?: string },
): ShownBlocks {
  const exposed = exposedBlocks(compile(definition));
  const shown = exposed.find(({ id, kind }) =>
    block === undefined ? kind !== 'item' : id === block && kind !== 'item',
  );
  if (!shown) return showState(definition, EMPTY_STATE, language);
  const items = shown.kind === 'container' ? shown.items : [];
  const place = items.findIndex(({ id }) => id === item);
  const isActive = (index: number): boolean => {
    if (shown.type === 'tour') return index === Math.max(place, 0);
    return shown.type === 'hints' ? place < 0 || index === place : index >= place;
  };
  const blocks: Record<Uid, BlockState> = { [shown.uid]: ACTIVE };
  for (const [index, { uid }] of items.entries())
    if (isActive(index)) blocks[uid] = ACTIVE;
    else if (shown.type === 'checklist') blocks[uid] = DONE;
  return showState(definition, { ...EMPTY_STATE, started: true, blocks }, language);
}

const ACTIVE: BlockState = { active: true, entered: true };
const DONE: BlockState = { entered: true, exited: true, transitioned: ['complete'] };

/**
 * What a user in this state and with these properties sees; texts for who has none without them.
 */
export function showState(
  definition: FlowDefinition,
  state: FlowState,
  language = '',
  properties: Subject['properties'] = {},
): ShownBlocks {
  const compiled = compile(definition);
  const isShown = (uid: Uid | undefined): boolean => uid !== undefined && isActive(state, uid);
  const version = { flow: definition.flow, version: 0, compiled };
  const inserted = insertedValues(compiled.inserted, properties);
  const json = flowJson(version, language).flow({ state, revision: 1, inserted }, true);
  const view = JSON.parse(json) as FlowView;
  return {
    flow: definition.flow,
    ...(view.language !== undefined && { language: view.language }),
    languages: languagesOf(definition),
    blocks: view.blocks!.filter(({ uid, containerUid }) => isShown(uid) || isShown(containerUid)),
  };
}

const languagesOf = ({ language, languages = [] }: FlowDefinition): string[] =>
  language === undefined || languages.length === 0
    ? []
    : [language, ...languages.map((texts) => texts.language)];
