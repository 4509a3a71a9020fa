import type { FlowDraft } from '../definition/definition.js';
import { checkAutomaticCycles } from './rules/automatic-cycles.js';
import { checkConditions } from './rules/conditions.js';
import { checkContainers } from './rules/containers.js';
import { checkEffects } from './rules/effects.js';
import { checkFields } from './rules/fields.js';
import { checkGates } from './rules/gates.js';
import { checkIdentifiers } from './rules/identifiers.js';
import { checkPaths } from './rules/paths.js';
import { type Problem, warning } from './problems/problem.js';
import { checkEvents, checkPersonalTexts, checkProperties } from './rules/properties.js';
import { checkReachability } from './rules/reachability.js';
import { checkSizes } from './rules/sizes.js';
import { checkSplits } from './rules/splits.js';
import { type Known, type Rule, checkedDraft } from './rules/checked-draft.js';
import { suggestFrom } from './problems/suggest.js';

/** An unknown group means no limit, which is hardly intended (Q1). */
const checkAttention: Rule = ({ draft: { attention }, known: { groups } }) => {
  if (!attention || !groups || groups.has(attention.group)) return [];
  const { group } = attention;
  return [
    warning(
      'attention.unknown-group',
      ['attention', 'group'],
      `there is no attention group "${group}", which means no limit${suggestFrom(groups)(group)}`,
    ),
  ];
};

const RULES: readonly Rule[] = [
  checkIdentifiers,
  checkConditions,
  checkContainers,
  checkFields,
  checkPaths,
  checkSplits,
  checkEffects,
  checkAttention,
  checkProperties,
  checkEvents,
  checkPersonalTexts,
];

/** They look along the paths, so that their work grows faster than the definition does. */
const GRAPH_RULES: readonly Rule[] = [checkAutomaticCycles, checkReachability, checkGates];

/**
 * Everything wrong with a definition, all at once; it may be stored when no problem is an error
 * (S4). One that is too large is refused without a look along its paths. Triggers of flows, and
 * conditions on properties, that are not among what is known are warned about where it is given.
 */
export function checkDefinition(draft: FlowDraft, known: Known = {}): Problem[] {
  const checked = checkedDraft(draft, known);
  const sizes = checkSizes(checked);
  const rules = sizes.length > 0 ? RULES : [...RULES, ...GRAPH_RULES];
  return [...sizes, ...rules.flatMap((rule) => rule(checked))];
}
