import { invalidRequest } from '@waymark/domain/database/errors';
import { IDENTIFIER_PATTERN, parseLanguageRanges } from '@waymark/domain/engine';
import type { VersionRef } from '@waymark/domain/flows';
import { parseIdentifier } from '@waymark/domain/users';
import { findFlag, findOne, type Query, QueryParameter } from '@waymark/service-kit/http';

/** A flow of a list, in a version. */
export interface NamedFlow {
  /** As it was asked for, such as `onboarding@3`. */
  readonly name: string;
  readonly flow: string;
  readonly version: VersionRef;
}

/** Flows that one request names at most (B13). */
const MOST_FLOWS = 50;
const VERSION = '0|[1-9][0-9]*|latest|uncommitted';
const FLOW_NAME = new RegExp(`^(${IDENTIFIER_PATTERN})(?:@(${VERSION}))?$`);
/** Parameters of the routes of one flow or block. */
const OF_ONE_FLOW = ['version', 'transitions'];

/** Of a user or group, free but for control characters (W7). */
const SUBJECT = { type: 'string' as const, minLength: 1, maxLength: 512 };
const oneOf = (...texts: string[]) => ({
  required: false,
  schema: { type: 'string' as const, enum: texts },
});

/** Whose state a request is about, and in which language (B3, X2). */
export class ActorQuery {
  @QueryParameter({ read: readIdentifier, docs: { schema: SUBJECT } })
  userIdentifier: string;

  @QueryParameter({ read: findIdentifier, docs: { schema: SUBJECT, required: false } })
  groupIdentifier?: string;

  @QueryParameter({ read: findFlag })
  force?: boolean;

  /** Taken by every route with a user, used by those that read. */
  @QueryParameter({
    read: readLanguages,
    docs: {
      required: false,
      schema: { type: 'string' },
      description: 'A tag of BCP 47, or a list such as de-CH,de;q=0.9; else Accept-Language counts',
    },
  })
  language?: string;
}

/** About one flow or block, in a version (B1). */
export class StateQuery extends ActorQuery {
  /** Given by one of two parameters. */
  @QueryParameter({
    read: readVersion,
    docs: {
      required: false,
      schema: { type: 'string', pattern: `^(${VERSION})$` },
      description: 'Exactly one of version and tag; 0 is the uncommitted version',
    },
  })
  version: VersionRef;

  @QueryParameter({ docs: oneOf('latest', 'uncommitted') })
  tag?: never;

  @QueryParameter({ read: readInclude })
  include?: 'block';
}

export class FlowQuery extends StateQuery {
  @QueryParameter({ docs: oneOf('block') })
  override include?: 'block';
}

/** Of a start or reset. */
export class IntentQuery extends StateQuery {
  @QueryParameter({ docs: oneOf('true', 'false') })
  override force?: boolean;
}

/** Of a stop or finish, which cannot be forced (B4). */
export class EndQuery extends StateQuery {
  @QueryParameter({ read: refuseForce, docs: oneOf('false') })
  override force?: boolean;
}

export class TransitionQuery extends StateQuery {
  /** As they were sent; what the block has is checked with it (S13). */
  @QueryParameter({
    read: readNames,
    docs: { schema: { type: 'array', items: { type: 'string' }, minItems: 1 } },
  })
  transitions: readonly string[];
}

const FLOWS = {
  read: readFlowNames,
  docs: {
    schema: {
      type: 'array' as const,
      items: { type: 'string' as const, pattern: `^${IDENTIFIER_PATTERN}(@(${VERSION}))?$` },
      minItems: 1,
      maxItems: MOST_FLOWS,
    },
    description: 'NAME or NAME@VERSION, each flow once; latest where no version is given',
  },
};

/** Several flows of one user (B13). */
export class FlowListQuery extends ActorQuery {
  @QueryParameter(FLOWS)
  flow: readonly NamedFlow[];

  @QueryParameter({ read: readInclude, docs: oneOf('block') })
  include?: 'block';
}

/** Flows alone, no user's (B15). */
export class FlowTypesQuery {
  @QueryParameter(FLOWS)
  flow: readonly NamedFlow[];
}

function readIdentifier(query: Query, name: string): string {
  return parseIdentifier(findOne(query, name), `the query parameter ${name}`);
}

function findIdentifier(query: Query, name: string): string | undefined {
  return query[name] === undefined ? undefined : readIdentifier(query, name);
}

/** A list such as `de-CH,de;q=0.9` (X2). */
function readLanguages(query: Query, name: string): string | undefined {
  const list = findOne(query, name);
  if (list === undefined || parseLanguageRanges(list).isWellFormed) return list;
  throw invalidRequest(
    'the query parameter language has to be a tag of BCP 47, such as pt-BR, or a list of these such as de-CH,de;q=0.9',
  );
}

/** Exactly one of `version`, a number or for old clients a tag, and `tag` (B1). */
function readVersion(query: Query): VersionRef {
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

function isTag(text: string | undefined): text is 'latest' | 'uncommitted' {
  return text === 'latest' || text === 'uncommitted';
}

/** `include=block` (B8). */
function readInclude(query: Query, name: string): 'block' | undefined {
  const include = findOne(query, name);
  if (include === undefined || include === 'block') return include;
  throw invalidRequest('the query parameter include can only be block');
}

function refuseForce(query: Query, name: string): boolean | undefined {
  const force = findFlag(query, name);
  if (!force) return force;
  throw invalidRequest('the query parameter force cannot be true with stop or finish');
}

function readNames({ transitions }: Query): readonly string[] {
  if (transitions !== undefined) return [transitions].flat();
  throw invalidRequest('the query parameter transitions has to be given at least once');
}

/**
 * `flow=NAME[@VERSION]`, 1 to 50 times, each flow once; the version is `latest` where none is given
 * (B13).
 */
function readFlowNames({ flow, ...others }: Query): NamedFlow[] {
  for (const name of OF_ONE_FLOW)
    if (others[name] !== undefined)
      throw invalidRequest(
        `the query parameter ${name} does not belong here; a version is named behind its flow, as in flow=onboarding@3`,
      );
  const flows = (flow === undefined ? [] : [flow].flat()).map(readFlowName);
  if (flows.length < 1 || flows.length > MOST_FLOWS)
    throw invalidRequest(
      `the query parameter flow has to be given 1 to ${MOST_FLOWS} times, here ${flows.length}`,
    );
  const names = flows.map((one) => one.flow);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw invalidRequest(`the query parameter flow names ${twice} twice`);
  return flows;
}

function readFlowName(name: string): NamedFlow {
  const [, flow, version = 'latest'] = FLOW_NAME.exec(name) ?? [];
  if (flow === undefined)
    throw invalidRequest(
      `the query parameter flow has to be NAME or NAME@VERSION, a whole number from 0, latest or uncommitted, not ${JSON.stringify(name.slice(0, 200))}`,
    );
  return {
    name,
    flow,
    version: version === 'latest' || version === 'uncommitted' ? version : Number(version),
  };
}
