import type { Query } from './request.js';

const TRANSITIONS = ['complete', 'dismiss', 'next', 'previous', 'skip'];
const INTENTS = ['start', 'reset', 'stop', 'finish'];

/** What can be done with a flow or block: functions that may be handed on, whatever they are called with. */
export function createActs(
  name: string,
  run: (sid: string, verb: string, query: Query) => Promise<boolean>,
): Record<string, (...given: never[]) => Promise<boolean>> {
  const transition = (...names: string[]) =>
    run(
      name,
      'transition',
      names.map((one) => ['transitions', one]),
    );
  const intend = (verb: string) => (options?: { force?: boolean }) =>
    run(name, verb, options?.force === true ? [['force', 'true']] : []);
  return name.includes('.')
    ? { transition, ...Object.fromEntries(TRANSITIONS.map((one) => [one, () => transition(one)])) }
    : Object.fromEntries(INTENTS.map((verb) => [verb, intend(verb)]));
}
