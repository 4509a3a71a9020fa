import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Json, rawItems } from '@waymark/domain/targeting';
import type { TrackedEvent, TrackRequest } from '@waymark/domain/users';
import type { FastifyRequest } from 'fastify';
import { type BodyObject, type BodyPart, checkPart, parsePart } from '../identify/body-part.js';
import { listOfBody, wholeBody } from '../identify/parse-identify.js';
import { IsEventText, IsIdentifier, MayBeMissing } from '../identify/subject-body.js';

const TEXT = { minLength: 1, maxLength: 128 } as const;

/** Something that a user did (Z2). */
@ApiSchema({ name: 'Event' })
export class TrackBody {
  @IsIdentifier()
  @ApiProperty({ minLength: 1, maxLength: 512, example: 'ada@example.com' })
  userIdentifier: string;

  @IsEventText()
  @ApiProperty({ ...TEXT, description: 'A user has at most 200 names', example: 'Invited' })
  event: string;

  @MayBeMissing()
  @IsEventText()
  @ApiProperty({
    ...TEXT,
    required: false,
    description: 'An id among the last 64 of the user is not counted again',
  })
  id?: string;

  constructor({ userIdentifier, event, id }: BodyObject) {
    this.userIdentifier = userIdentifier as string;
    this.event = event as string;
    this.id = id as string;
  }
}

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
