import { DomainError } from '@waymark/domain/errors';
import type { VersionAsked } from '@waymark/domain/flows';
import type { Query } from '@waymark/service-kit/requests';

/** Reads one value of a query; a name given twice where one value is meant is refused (W8). */
export function findOne(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(`the query parameter ${name} is given ${value.length} times, it has to be given once`);
}

/** `true` or `false`; undefined where it is not given (B4). */
export function findFlag(query: Query, name: string): boolean | undefined {
  const text = findOne(query, name);
  if (text === undefined || text === 'true' || text === 'false') return text && text === 'true';
  throw invalid(`the query parameter ${name} has to be true or false`);
}

/** Exactly one of `version`, a number or for old clients a tag, and `tag` (B1). */
export function parseVersion(query: Query): VersionAsked {
  const version = findOne(query, 'version');
  const tag = findOne(query, 'tag');
  if ((version === undefined) === (tag === undefined))
    throw invalid('exactly one of the query parameters version and tag has to be given');
  if (isTag(version)) return version;
  if (isTag(tag)) return tag;
  if (version !== undefined && /^(0|[1-9][0-9]*)$/.test(version)) return Number(version);
  throw invalid(
    version === undefined
      ? 'the query parameter tag has to be latest or uncommitted'
      : 'the query parameter version has to be a whole number from 0, without leading zeros',
  );
}

export const invalid = (message: string): DomainError => new DomainError('request.invalid', message);

const isTag = (text: string | undefined): text is 'latest' | 'uncommitted' => text === 'latest' || text === 'uncommitted';
