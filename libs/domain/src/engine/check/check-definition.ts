import type { FlowDraft } from '../definition/definition.js';
import { checkAutomaticCycles } from './automatic-cycles.js';
import { checkConditions } from './conditions.js';
import { checkContainers } from './containers.js';
import { checkEffects } from './effects.js';
import { checkFields } from './fields.js';
import { checkGates } from './gates.js';
import { checkIdentifiers } from './identifiers.js';
import { checkPaths } from './paths.js';
import type { Problem } from './problem.js';
import { checkProperties } from './properties.js';
import { checkReachability } from './reachability.js';
import { checkSizes } from './sizes.js';
import { type Known, type Rule, checkedDraft } from './checked-draft.js';

const RULES: readonly Rule[] = [
  checkIdentifiers,
  checkConditions,
  checkContainers,
  checkFields,
  checkPaths,
  checkEffects,
  checkProperties,
];

/** They look along the paths, so that their work grows faster than the definition does. */
const GRAPH_RULES: readonly Rule[] = [checkAutomaticCycles, checkReachability, checkGates];

/**
 * Everything wrong with a definition, all at once; it may be stored when no problem is an error (S4). One that is too large
 * is refused without a look along its paths. Triggers of flows, and conditions on properties, that are not among what is
 * known are warned about where it is given.
 */
export function checkDefinition(draft: FlowDraft, known: Known = {}): Problem[] {
  const checked = checkedDraft(draft, known);
  const sizes = checkSizes(checked);
  const rules = sizes.length > 0 ? RULES : [...RULES, ...GRAPH_RULES];
  return [...sizes, ...rules.flatMap((rule) => rule(checked))];
}
