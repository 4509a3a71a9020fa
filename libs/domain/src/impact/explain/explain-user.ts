import type { DataSource } from 'typeorm';
import { EMPTY_STATE, exposedBlocks, type FlowState, isActive } from '../../engine/index.js';
import { explainCondition } from './explain-condition.js';
import type { Explanation } from './explanation.js';
import { findWaitingGates } from './find-gates.js';
import { findItemsLeft } from './find-items-left.js';
import { type ExplainInput, loadScene } from './load-scene.js';
import { describeStory } from './reasons.js';
import { type Story, tellStory } from './story.js';

/**
 * Why a user sees what they see of a flow, and why not (I1). Runs the real engine on what is stored, and writes nothing.
 * That a user was never identified is an answer, not an error. Throws `flow.unknown` and `version.unknown`.
 */
export async function explainUser(dataSource: DataSource, environmentId: string, input: ExplainInput): Promise<Explanation> {
  const scene = await loadScene(dataSource, environmentId, input);
  const about = { user: input.user, flow: input.flow, version: scene.flow.version };
  if (!scene.context) return { ...about, ...NOBODY, reasons: describeStory({ ...scene, input }) };
  const story = tellStory(scene, scene.context, input);
  const { compiled } = scene.flow;
  const { state } = story.current;
  return {
    ...about,
    identified: true,
    wouldStart: story.wouldStart,
    reasons: describeStory(story),
    ...(typeof compiled.target !== 'string' && { condition: explainCondition(compiled.target, scene.context) }),
    active: findActive(story, state),
    gates: findWaitingGates(compiled, state),
    items: findItemsLeft(compiled, state),
    branches: [...story.biography.outcomes].map(([uid, taken]) => ({ block: compiled.byUid.get(uid)?.id ?? uid, ...taken })),
  };
}

const NOBODY = { identified: false, wouldStart: false, active: [], gates: [], items: [], branches: [] };

function findActive({ flow, stored, biography }: Story, state: FlowState): Explanation['active'] {
  const active = exposedBlocks(flow.compiled).filter(({ uid }) => isActive(state, uid));
  const before = stored?.state ?? EMPTY_STATE;
  return active.map(({ uid, id }) => ({ block: id, since: (isActive(before, uid) && biography.active.get(uid)) || null }));
}
