/** A hot statement: prepared once per connection under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Names must be unique in the process: PostgreSQL keeps one plan per name and connection. */
export const defineStatement = (name: string, text: string): Statement => Object.freeze({ name, text });
