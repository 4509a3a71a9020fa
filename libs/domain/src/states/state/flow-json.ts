import { type CompiledFlow, languageChooser, parseLanguageRanges } from '../../engine/index.js';
import { RecentlyUsed } from '../../targeting/values/recently-used.js';
import { FlowJson, type FlowView, type NumberedState, type ShownVersion } from './flow-view.js';

/**
 * What texts are kept for each version, in the languages used last (X6): all of most flows, four of
 * the largest.
 */
const KEPT_CHARACTERS = 2 ** 21;
/** Lists of languages, as browsers send them, whose choice is kept for each version. */
const KEPT_LISTS = 100;
/** Longer lists are read each time, so that they cost no memory. */
const LONGEST_KEPT_LIST = 200;

/** The texts of a version, in the languages that were requested last. */
class FlowTexts {
  private readonly byLanguage = new RecentlyUsed<FlowJson>(KEPT_CHARACTERS);
  private readonly chosen = new RecentlyUsed<string>(KEPT_LISTS);

  constructor(
    private readonly version: ShownVersion,
    private readonly chooseFrom: NonNullable<ReturnType<typeof languageChooser>>,
  ) {}

  in(list: string): FlowJson {
    const language = this.chosen.find(list) ?? this.choose(list);
    const known = this.byLanguage.find(language);
    if (known) return known;
    const made = new FlowJson(this.version, language);
    this.byLanguage.set(language, made, made.characters);
    return made;
  }

  private choose(list: string): string {
    const language = this.chooseFrom(parseLanguageRanges(list).ranges);
    if (list.length <= LONGEST_KEPT_LIST) this.chosen.set(list, language, 1);
    return language;
  }
}

const texts = new WeakMap<CompiledFlow, FlowJson | FlowTexts>();

/**
 * The JSON of a version, in the first of the languages that it has; `languages` is a list such as
 * Accept-Language (X2). Made at its first use and kept with the compiled flow.
 */
export function flowJson(version: ShownVersion, languages = ''): FlowJson {
  let known = texts.get(version.compiled);
  if (!known) {
    const chooseFrom = languageChooser(version.compiled.definition);
    known = chooseFrom ? new FlowTexts(version, chooseFrom) : new FlowJson(version);
    texts.set(version.compiled, known);
  }
  return known instanceof FlowJson ? known : known.in(languages);
}

/** The very object that clients get as JSON. */
export const flowView = (
  version: ShownVersion,
  state: NumberedState,
  withBlocks = false,
): FlowView => JSON.parse(flowJson(version).flow(state, withBlocks)) as FlowView;
