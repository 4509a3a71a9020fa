import { invalidRequest } from '@waymark/domain/errors';
import type { VersionRef } from '@waymark/domain/flows';
import { findOne, type Query } from '@waymark/service-kit/requests';

/** Exactly one of `version`, a number or for old clients a tag, and `tag` (B1). */
export function parseVersion(query: Query): VersionRef {
  const version = findOne(query, 'version');
  const tag = findOne(query, 'tag');
  if ((version === undefined) === (tag === undefined))
    throw invalidRequest('exactly one of the query parameters version and tag has to be given');
  if (isTag(version)) return version;
  if (isTag(tag)) return tag;
  if (version !== undefined && /^(0|[1-9][0-9]*)$/.test(version)) return Number(version);
  throw invalidRequest(
    version === undefined
      ? 'the query parameter tag has to be latest or uncommitted'
      : 'the query parameter version has to be latest, uncommitted or a whole number from 0, without leading zeros',
  );
}

const isTag = (text: string | undefined): text is 'latest' | 'uncommitted' => text === 'latest' || text === 'uncommitted';
