/** A hot statement: prepared once per connection under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * `one`: never runs on tables that Citus spreads over servers, where another statement has its
   * place (G1).
   */
  readonly servers: 'any' | 'one';
}

const defined = new Map<string, Statement>();

/** Throws on a name that is taken: PostgreSQL keeps one plan per name and connection. */
export function defineStatement(
  name: string,
  text: string,
  servers: Statement['servers'] = 'any',
): Statement {
  if (defined.has(name)) throw new Error(`a statement named ${name} is defined already`);
  const statement = Object.freeze({ name, text, servers });
  defined.set(name, statement);
  return statement;
}

/**
 * Every statement of the modules loaded so far, for the test that prepares each against the
 * migrated schema.
 */
export const definedStatements = (): readonly Statement[] => [...defined.values()];
