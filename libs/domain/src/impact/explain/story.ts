import type { Context } from '../../engine/index.js';
import { advance, type Advance } from '../../flow-states/command/advance.js';
import { Biography } from './biography.js';
import type { ExplainInput, Scene } from './load-scene.js';

/** What is known and what the engine makes of it, for telling it. */
export interface Story extends Scene {
  readonly input: ExplainInput;
  readonly biography: Biography;
  /** What a read does before it starts the flow: migration, or what an edit asks for (S27, S28). */
  readonly current: Advance;
  /** Whether the next read of the flow starts it. */
  readonly wouldStart: boolean;
}

/** Asks the engine what a read does. */
export function tellStory(scene: Scene, context: Context, input: ExplainInput): Story {
  const current = advance(scene.flow, scene.stored, { kind: 'read', starts: false }, context);
  const next = advance(scene.flow, scene.stored, { kind: 'read', starts: true }, context);
  const wouldStart = !scene.isArchived && next.events.length > current.events.length;
  return { ...scene, input, biography: new Biography(scene.events), current, wouldStart };
}
