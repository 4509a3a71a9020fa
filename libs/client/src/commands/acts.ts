import { toQuery } from '../requests/request.js';

/** What can be done with a flow or block: functions that may be handed on, whatever they are called with. */
export type Acts = readonly (readonly [name: string, act: (...given: never[]) => Promise<boolean>])[];

export function createActs(name: string, run: (name: string, verb: string, query: string) => Promise<boolean>): Acts {
  const transition = (...names: string[]) => run(name, 'transition', `&${toQuery('transitions', names)}`);
  return name.includes('.')
    ? [
        ['transition', transition],
        ...['complete', 'dismiss', 'next', 'previous', 'skip'].map((one) => [one, () => transition(one)] as const),
      ]
    : ['start', 'reset', 'stop', 'finish'].map((verb) => [
        verb,
        (options?: { force?: boolean }) => run(name, verb, options?.force ? '&force=true' : ''),
      ]);
}
