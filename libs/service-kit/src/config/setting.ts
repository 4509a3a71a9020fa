/** One setting of a process: an environment variable, what it means, and how its text is read. */
export interface Setting<T> {
  readonly name: string;
  readonly description: string;
  /** As text, the way an operator would write it; absent for a setting that must be given. */
  readonly default?: string;
  /** Not needed, and without a default. */
  readonly optional?: boolean;
  /** The value of a text; throws what is allowed instead, without repeating the text, which may be a secret. */
  parse(text: string): T;
}

/** What a table of settings is read into. */
export type SettingsOf<Table extends Record<string, Setting<unknown>>> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer T> ? T : never;
};

interface About {
  description: string;
  default?: string;
}

/** A whole number between two bounds. */
export function integer(name: string, about: About & { min: number; max: number }): Setting<number> {
  const { min, max, ...rest } = about;
  return {
    name,
    ...rest,
    parse: (text) => {
      if (/^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
      throw new Error(`has to be a whole number from ${min} to ${max}`);
    },
  };
}

/** One of some words. */
export function choice<Word extends string>(name: string, words: readonly Word[], about: About): Setting<Word> {
  return {
    name,
    ...about,
    parse: (text) => {
      const found = words.find((word) => word === text);
      if (found !== undefined) return found;
      throw new Error(`has to be one of ${words.join(', ')}`);
    },
  };
}

/** `on` or `off`; true, false, 1 and 0 do as well. */
export function flag(name: string, about: About): Setting<boolean> {
  return {
    name,
    ...about,
    parse: (text) => {
      if (['on', 'true', '1'].includes(text)) return true;
      if (['off', 'false', '0'].includes(text)) return false;
      throw new Error('has to be on or off');
    },
  };
}

/** A name or address without blanks. */
export function word(name: string, about: About): Setting<string> {
  return {
    name,
    ...about,
    parse: (text) => {
      if (/^\S+$/.test(text)) return text;
      throw new Error('has to be one word without blanks');
    },
  };
}

/** A URL of one of some schemes; has to be given. */
export function url(name: string, schemes: readonly string[], about: About): Setting<string> {
  return {
    name,
    ...about,
    parse: (text) => {
      if (URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))) return text;
      throw new Error(`has to be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
    },
  };
}

/** Web origins separated by commas, or `*` for any. */
export function origins(name: string, about: About): Setting<'*' | string[]> {
  return {
    name,
    ...about,
    parse: (text) => {
      if (text === '*') return '*';
      const list = text.split(',').map((item) => item.trim());
      if (list.every((item) => URL.canParse(item) && new URL(item).origin === item)) return list;
      throw new Error('has to be * or origins like https://app.example.com, separated by commas');
    },
  };
}

/** The same setting when it may be left out. */
export const optional = <T>(setting: Setting<T>): Setting<T | undefined> => ({ ...setting, optional: true });
