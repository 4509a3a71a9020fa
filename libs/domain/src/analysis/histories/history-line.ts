import { invalidRequest } from '../../database/errors/index.js';
import type { Cause, Change, FlowDefinition, FlowState } from '../../engine/index.js';

/** What a file of recorded histories begins with. */
interface HeadLine {
  readonly kind: 'histories';
  /** Format of the file. */
  readonly format: 1;
  /** The release of Waymark that wrote it. */
  readonly release: string;
  readonly flow: string;
}

/**
 * A version of the flow, before the first state in it: how it runs, without texts, conditions and
 * addresses.
 */
export interface VersionLine {
  readonly kind: 'version';
  readonly version: number;
  readonly definition: FlowDefinition;
}

/** A state as it is stored; its events follow. */
export interface StateLine {
  readonly kind: 'state';
  /** `user-1`, `user-2` … in an order of chance: nothing of the file leads back to a user. */
  readonly user: string;
  readonly version: number;
  readonly revision: number;
  readonly state: FlowState;
}

export interface EventLine {
  readonly kind: 'event';
  readonly revision: number;
  /**
   * Whole hours behind the first event of the state, which is at the beginning of the year 2000.
   */
  readonly at: string;
  readonly format: number;
  readonly cause: Cause;
  readonly changes: readonly Change[];
}

/** The last line, without which a file was cut. */
interface EndLine extends HistoryCounts {
  readonly kind: 'end';
}

export interface HistoryCounts {
  readonly users: number;
  readonly states: number;
  readonly events: number;
}

export type HistoryLine = HeadLine | VersionLine | StateLine | EventLine | EndLine;

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isState = (value: unknown): boolean =>
  isObject(value) && isObject((value as FlowState).blocks) && isObject((value as FlowState).gates);

/** What each kind of line has to have; the rest is for the engine to judge. */
const MEMBERS: Record<HistoryLine['kind'], Record<string, (value: unknown) => boolean>> = {
  histories: { format: Number.isInteger, release: isText, flow: isText },
  version: { version: Number.isInteger, definition: isObject },
  state: {
    user: isText,
    version: Number.isInteger,
    revision: Number.isInteger,
    state: isState,
  },
  event: {
    revision: Number.isInteger,
    format: Number.isInteger,
    cause: isObject,
    changes: Array.isArray,
  },
  end: { users: Number.isInteger, states: Number.isInteger, events: Number.isInteger },
};

/** Reads one line. Throws `request.invalid` with its number where it is none of such a file. */
export function parseHistoryLine(text: string, number: number): HistoryLine {
  const refuse = (what: string) =>
    invalidRequest(`line ${number} ${what}; \`waymark histories export\` writes such files`);
  let line: Record<string, unknown>;
  try {
    line = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw refuse('is not JSON');
  }
  const kind = String(line['kind']);
  const members = Object.hasOwn(MEMBERS, kind) ? MEMBERS[kind as HistoryLine['kind']] : undefined;
  if (!members) throw refuse(`is none of ${Object.keys(MEMBERS).join(', ')}`);
  const wrong = Object.entries(members).find(([name, isFine]) => !isFine(line[name]));
  if (wrong) throw refuse(`has no such ${wrong[0]} as a line of the kind ${kind} has`);
  return line as unknown as HistoryLine;
}
