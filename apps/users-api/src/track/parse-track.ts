import { rawItems, type Json } from '@waymark/domain/targeting';
import type { TrackedEvent, TrackRequest } from '@waymark/domain/users';
import type { FastifyRequest } from 'fastify';
import { type BodyPart, checkPart, parsePart } from '../identify/body-part.js';
import { listOfBody, wholeBody } from '../identify/parse-identify.js';
import { TrackBody } from './track-body.js';

function eventOf(part: BodyPart): TrackedEvent {
  const { userIdentifier: user, event: name, id } = checkPart(TrackBody, part);
  return { user, name, where: part.where, ...(id !== undefined && { id }) };
}

/** The body of `POST /track`. */
export const parseTrack = (request: FastifyRequest): TrackRequest => ({
  environmentId: request.caller.environmentId,
  events: [eventOf(wholeBody(request))],
});

/** The body of `POST /track/batch`; a refusal names the index of the item (U4). */
export function parseTrackBatch(request: FastifyRequest): TrackRequest {
  const items: readonly Json[] = listOfBody(request, 'events');
  const texts = rawItems(request.bodyText);
  const events = items.map((value, index) =>
    eventOf(parsePart(value, texts[index]!, `[${index}]`)),
  );
  return { environmentId: request.caller.environmentId, events };
}
