import { findRawMember, type Json, rawItems } from '@waymark/domain/targeting';
import { invalidRequest } from '@waymark/domain/database/errors';
import {
  parseIdentifier,
  type IdentifyRequest,
  type IdentifiedSubject,
  type TrackRequest,
} from '@waymark/domain/users';
import type { FastifyRequest } from 'fastify';
import { checkPart, parsePart, type BodyPart } from './body-part.js';
import { SegmentGroupBody, SegmentIdentifyBody, SegmentTrackBody } from './segment-body.js';
import { GroupBody, UserBody } from './subject-body.js';

/** Items of a batch at most (U4). */
export const MAX_BATCH = 100;

export const wholeBody = ({ body, bodyText }: FastifyRequest): BodyPart =>
  parsePart(body as Json | undefined, bodyText, '');

const propertiesOf = ({ text }: BodyPart): string => findRawMember(text, 'properties') ?? '{}';

/**
 * What a request asks to be written, put together part by part; every part is checked as it comes.
 */
class IdentifyDraft implements IdentifyRequest {
  readonly users: IdentifiedSubject[] = [];
  readonly groups: IdentifiedSubject[] = [];
  readonly memberships: { user: string; group: string }[] = [];

  constructor(readonly environmentId: string) {}

  /** A user with the groups named in it, who becomes their member (U3). */
  addUser(part: BodyPart): void {
    const { identifier, groups } = checkPart(UserBody, part);
    this.users.push({ identifier, properties: propertiesOf(part), where: part.where });
    if (!groups?.length) return;
    const texts = rawItems(findRawMember(part.text, 'groups')!);
    for (const [index, value] of (groups as unknown as Json[]).entries()) {
      const where = `${part.where && `${part.where}.`}groups[${index}]`;
      const group = this.addGroup(parsePart(value, texts[index]!, where));
      this.memberships.push({ user: identifier, group });
    }
  }

  /** A group by itself; returns its identifier. */
  addGroup(part: BodyPart): string {
    const { identifier } = checkPart(GroupBody, part);
    this.groups.push({ identifier, properties: propertiesOf(part), where: part.where });
    return identifier;
  }
}

/** The body of `POST /identify`. */
export function parseUser(request: FastifyRequest): IdentifyRequest {
  const draft = new IdentifyDraft(request.caller.environmentId);
  draft.addUser(wholeBody(request));
  return draft;
}

/** The body of `POST /identify/group`. */
export function parseGroup(request: FastifyRequest): IdentifyRequest {
  const draft = new IdentifyDraft(request.caller.environmentId);
  draft.addGroup(wholeBody(request));
  return draft;
}

/** The body as a list that is no longer than a batch may be. */
export function listOfBody(request: FastifyRequest, what: string): readonly Json[] {
  const body = request.body as Json | undefined;
  if (!Array.isArray(body))
    throw invalidRequest(`the body has to be a list of at most ${MAX_BATCH} ${what}`);
  if (body.length > MAX_BATCH)
    throw invalidRequest(`the body lists ${body.length} ${what}, at most ${MAX_BATCH} are allowed`);
  return body;
}

/** The body of `POST /identify/batch`; a refusal names the index of the item (U4). */
export function parseBatch(request: FastifyRequest): IdentifyRequest {
  const body = listOfBody(request, 'users');
  const draft = new IdentifyDraft(request.caller.environmentId);
  const texts = rawItems(request.bodyText);
  for (const [index, value] of body.entries())
    draft.addUser(parsePart(value, texts[index]!, `[${index}]`));
  return draft;
}

/**
 * The path and body of `POST /identify/:identifier`: the body is the properties, none of them
 * without a body.
 */
export function parseUserOfPath(request: FastifyRequest): IdentifyRequest {
  const identifier = parseIdentifier(
    (request.params as { identifier: string }).identifier,
    'the identifier in the path',
  );
  const properties = request.body === undefined ? '{}' : wholeBody(request).text;
  const users = [{ identifier, properties, where: '' }];
  return { environmentId: request.caller.environmentId, users, groups: [], memberships: [] };
}

/** The body of `POST /identify/segment` (U5). */
export function parseSegment(request: FastifyRequest): IdentifyRequest | TrackRequest {
  const part = wholeBody(request);
  const { type } = part.value;
  const { environmentId } = request.caller;
  if (type === 'track') {
    const { userId: user, event: name, messageId: id } = checkPart(SegmentTrackBody, part);
    return { environmentId, events: [{ user, name, where: '', ...(id !== undefined && { id }) }] };
  }
  const properties = findRawMember(part.text, 'traits') ?? '{}';
  if (type === 'identify') {
    const { userId } = checkPart(SegmentIdentifyBody, part);
    return {
      environmentId,
      users: [{ identifier: userId, properties, where: '' }],
      groups: [],
      memberships: [],
    };
  }
  if (type !== 'group')
    throw invalidRequest(
      'type has to be "identify", "group" or "track", other events are not taken',
    );
  const { groupId, userId } = checkPart(SegmentGroupBody, part);
  const groups = [{ identifier: groupId, properties, where: '' }];
  if (typeof userId !== 'string') return { environmentId, users: [], groups, memberships: [] };
  const users = [{ identifier: userId, properties: '{}', where: '' }];
  return { environmentId, users, groups, memberships: [{ user: userId, group: groupId }] };
}
