import type { Context, Effect, FlowState } from '../../engine/index.js';
import type { PlannedRow, PlanRun } from './plan-run.js';
import { evaluate, type UserPlace, type UserImpact } from './evaluate.js';

/**
 * What is known of everybody in the same place with the same properties that conditions look at.
 */
type Evaluated =
  /** What happens to each of them, one for each scenario. */
  | { readonly impacts: readonly UserImpact[] }
  /** Where they are, if it matters who the user is. */
  | { readonly impacts: null; readonly place: UserPlace };

/** How much text is remembered at once, in characters. */
const MOST_REMEMBERED = 33_554_432;

/**
 * Runs the engine once for all who are in the same place: a million users are in some thousand
 * places.
 */
export class ImpactCache {
  /** By the text of the state, which is long and looked up as it is, then by what else decides. */
  private readonly known = new Map<string, Map<string, Evaluated>>();
  private remembered = 0;

  constructor(private readonly run: PlanRun) {}

  of(row: PlannedRow): Evaluated {
    const { version, state, asked, found } = row;
    const rest = `${version} ${asked}${found === undefined ? '' : ` ${JSON.stringify(found)}`}`;
    const known = this.known.get(state ?? '')?.get(rest);
    if (known) return known;
    const evaluated = this.evaluate(row);
    this.remember(state ?? '', rest, evaluated);
    return evaluated;
  }

  private evaluate({ version, state, asked, found }: PlannedRow): Evaluated {
    const met = version === null ? null : { version, state: JSON.parse(state!) as FlowState };
    const place = { met, ...(found !== undefined && { found }) };
    const properties = asked === null ? null : (JSON.parse(asked) as Context['user']['properties']);
    const impacts: UserImpact[] = [];
    for (const { planned } of this.run.scenarios) {
      const anybody = new ContextProbe(this.run.now, properties);
      const impact = evaluate(this.run, planned, place, anybody);
      if (anybody.wasAsked || impact.ofMigration.effects.some(isTrigger))
        return { place, impacts: null };
      impacts.push(impact);
    }
    return { impacts };
  }

  private remember(state: string, rest: string, evaluated: Evaluated): void {
    if (this.remembered > MOST_REMEMBERED) {
      this.known.clear();
      this.remembered = 0;
    }
    const there = this.known.get(state);
    if (there) there.set(rest, evaluated);
    else this.known.set(state, new Map([[rest, evaluated]]));
    this.remembered += (there ? 0 : state.length) + rest.length;
  }
}

/** What a trigger fires depends on where the user is in the other flow. */
const isTrigger = ({ kind }: Effect): boolean => kind === 'flow-trigger';

/** Notices when a condition reads what is not known of everybody in a place. */
class ContextProbe implements Context {
  wasAsked = false;
  readonly user: Context['user'];

  constructor(
    readonly now: number,
    properties: Context['user']['properties'] | null,
  ) {
    const ask = <Value>(value: Value): Value => {
      this.wasAsked = true;
      return value;
    };
    this.user = {
      get identifier() {
        return ask('');
      },
      get properties() {
        return properties ?? ask({});
      },
      get createdAt() {
        return ask(null);
      },
      get updatedAt() {
        return ask(null);
      },
      get events() {
        return ask({});
      },
    };
  }

  /** The way through a split depends on the id of the user (K1). */
  get userId(): string {
    this.wasAsked = true;
    return '';
  }

  get group(): null {
    this.wasAsked = true;
    return null;
  }
}
