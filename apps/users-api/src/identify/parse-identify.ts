import type { Json } from '@waymark/domain/json';
import { invalidRequest } from '@waymark/domain/errors';
import { findRawMember, rawItems } from '@waymark/domain/json';
import { parseIdentifier, type IdentifyRequest } from '@waymark/domain/users';
import type { FastifyRequest } from 'fastify';
import { checkPart, parsePart, type BodyPart } from './body-part.js';
import { IdentifyDraft } from './identify-draft.js';
import { SegmentGroupBody, SegmentIdentifyBody } from './segment-body.js';

/** Items of a batch at most (U4). */
export const MAX_BATCH = 100;

const wholeBody = ({ body, bodyText }: FastifyRequest): BodyPart => parsePart(body as Json | undefined, bodyText, '');

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

/** The body of `POST /identify/batch`; a refusal names the index of the item (U4). */
export function parseBatch(request: FastifyRequest): IdentifyRequest {
  const body = request.body as Json | undefined;
  if (!Array.isArray(body)) throw invalidRequest(`the body has to be a list of at most ${MAX_BATCH} users`);
  if (body.length > MAX_BATCH) {
    throw invalidRequest(`the body lists ${body.length} users, at most ${MAX_BATCH} are allowed`);
  }
  const draft = new IdentifyDraft(request.caller.environmentId);
  const texts = rawItems(request.bodyText);
  for (const [index, value] of body.entries()) draft.addUser(parsePart(value, texts[index]!, `[${index}]`));
  return draft;
}

/** The path and body of `POST /identify/:identifier`: the body is the properties, none of them without a body. */
export function parseUserOfPath(request: FastifyRequest): IdentifyRequest {
  const identifier = parseIdentifier((request.params as { identifier: string }).identifier, 'the identifier in the path');
  const properties = request.body === undefined ? '{}' : wholeBody(request).text;
  const users = [{ identifier, properties, where: '' }];
  return { environmentId: request.caller.environmentId, users, groups: [], memberships: [] };
}

/** The body of `POST /identify/segment` (U5). */
export function parseSegment(request: FastifyRequest): IdentifyRequest {
  const part = wholeBody(request);
  const { type } = part.value;
  const { environmentId } = request.caller;
  const properties = findRawMember(part.text, 'traits') ?? '{}';
  if (type === 'identify') {
    const { userId } = checkPart(SegmentIdentifyBody, part);
    return { environmentId, users: [{ identifier: userId, properties, where: '' }], groups: [], memberships: [] };
  }
  if (type !== 'group') throw invalidRequest('type has to be "identify" or "group", other events are not taken');
  const { groupId, userId } = checkPart(SegmentGroupBody, part);
  const groups = [{ identifier: groupId, properties, where: '' }];
  if (typeof userId !== 'string') return { environmentId, users: [], groups, memberships: [] };
  const users = [{ identifier: userId, properties: '{}', where: '' }];
  return { environmentId, users, groups, memberships: [{ user: userId, group: groupId }] };
}
