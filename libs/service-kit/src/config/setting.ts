import { applyDecorators } from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { trustIn } from '../limits/client-address.js';

interface About {
  /** What it means, for the docs. */
  description: string;
  /**
   * As text, the way an operator would write it. A setting without one has to be given, unless it
   * is `optional`.
   */
  default?: string;
  optional?: true;
  /**
   * Optional unless other settings ask for it; `words` say which, as in "has to be given with A=b".
   */
  neededWhen?: { words: string; holds(settings: object): boolean };
}

/** What the docs say of a setting; `name` is the environment variable. */
export interface SettingDescription extends About {
  name: string;
}

/** A class of settings; it may be one that others extend. */
export type SettingsClass = abstract new () => object;

/** Where a class keeps what its settings are called; read by `describedSettings`. */
const DESCRIPTIONS = Symbol('setting descriptions');

/** A whole number between two bounds. */
export function Integer(
  name: string,
  about: About & { min: number; max: number },
): PropertyDecorator {
  const { min, max, ...rest } = about;
  const wrong = { message: `has to be a whole number from ${min} to ${max}` };
  const read = (text: string): unknown => (/^\d{1,12}$/.test(text) ? Number(text) : text);
  return Setting({ name, ...rest }, read, IsInt(wrong), Min(min, wrong), Max(max, wrong));
}

/** One of some words. */
export function Choice(name: string, words: readonly string[], about: About): PropertyDecorator {
  return Setting(
    { name, ...about },
    asWritten,
    IsIn(words, { message: `has to be one of ${words.join(', ')}` }),
  );
}

/** `on` or `off`; true, false, 1 and 0 do as well. */
export function Flag(name: string, about: About): PropertyDecorator {
  return Setting({ name, ...about }, readFlag, IsBoolean({ message: 'has to be on or off' }));
}

/** A name or address without blanks. */
export function Word(name: string, about: About): PropertyDecorator {
  return Setting(
    { name, ...about },
    asWritten,
    Matches(/^\S+$/, { message: 'has to be one word without blanks' }),
  );
}

/** A URL of one of some schemes. */
export function Url(name: string, schemes: readonly string[], about: About): PropertyDecorator {
  const isUrl = (text: unknown): boolean =>
    typeof text === 'string' &&
    URL.canParse(text) &&
    schemes.includes(new URL(text).protocol.slice(0, -1));
  const allowed = schemes.map((scheme) => `${scheme}://`).join(' or ');
  return Setting(
    { name, ...about },
    asWritten,
    Holds('url', isUrl, `has to be a URL that begins with ${allowed}`),
  );
}

/** Web origins separated by commas, or `*` for any. */
export function Origins(name: string, about: About): PropertyDecorator {
  const isOrigin = (item: unknown): boolean =>
    typeof item === 'string' && URL.canParse(item) && new URL(item).origin === item;
  const areOrigins = (value: unknown): boolean =>
    value === '*' || (Array.isArray(value) && value.every(isOrigin));
  const read = (text: string): unknown => (text === '*' ? text : readList(text));
  const wrong = 'has to be * or origins like https://app.example.com, separated by commas';
  return Setting({ name, ...about }, read, Holds('origins', areOrigins, wrong));
}

/**
 * Addresses of proxies: single ones, ranges and their usual names, separated by commas; `none` is
 * none.
 */
export function Proxies(name: string, about: About): PropertyDecorator {
  const wrong =
    'has to be none or addresses like 10.0.0.0/8, loopback, linklocal, uniquelocal, separated by commas';
  const read = (text: string): unknown => (text === 'none' ? [] : readList(text));
  return Setting({ name, ...about }, read, Holds('proxies', areProxies, wrong));
}

function areProxies(value: unknown): boolean {
  try {
    trustIn(value as string[]);
    return true;
  } catch {
    return false;
  }
}

/** A rule of its own, refused with that sentence; for what class-validator has no decorator for. */
export const Holds = (
  name: string,
  validate: (value: unknown) => boolean,
  message: string,
): PropertyDecorator => ValidateBy({ name, validator: { validate } }, { message });

/** The members of a text, which commas separate. */
export const readList = (text: string): string[] => text.split(',').map((item) => item.trim());

/**
 * A member of a settings class: the environment variable it is read from, how its text is read, and
 * what its value has to be. An empty text counts as not given. The messages of the checks never
 * repeat a value, which may be a secret.
 */
export function Setting(
  about: SettingDescription,
  read: (text: string) => unknown,
  ...checks: PropertyDecorator[]
): PropertyDecorator {
  const readGiven = ({ value }: { value: unknown }): unknown => {
    const text = (typeof value === 'string' && value.trim()) || about.default;
    return text === undefined ? undefined : read(text);
  };
  const { name } = about;
  return applyDecorators(
    Describes(about),
    Expose({ name }),
    Transform(readGiven),
    Presence(about),
    ...checks,
  );
}

function Presence({ optional, neededWhen }: About): PropertyDecorator {
  if (optional) return IsOptional();
  if (!neededWhen) return IsDefined({ message: 'has to be given' });
  return applyDecorators(
    ValidateIf((settings: object, value) => value !== undefined || neededWhen.holds(settings)),
    IsDefined({ message: `has to be given ${neededWhen.words}` }),
  );
}

/** Every setting of a class and of those it extends, in the order in which they are declared. */
export function describedSettings(
  settings: SettingsClass,
): Map<string | symbol, SettingDescription> {
  const all = (Reflect.getMetadata(DESCRIPTIONS, settings) ?? new Map()) as Map<
    string | symbol,
    SettingDescription
  >;
  return new Map(all);
}

function Describes(about: SettingDescription): PropertyDecorator {
  return ({ constructor }, member) => {
    const described = describedSettings(constructor as SettingsClass).set(member, about);
    Reflect.defineMetadata(DESCRIPTIONS, described, constructor);
  };
}

const asWritten = (text: string): string => text;

function readFlag(text: string): unknown {
  if (['on', 'true', '1'].includes(text)) return true;
  return ['off', 'false', '0'].includes(text) ? false : text;
}
