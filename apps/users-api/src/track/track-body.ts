import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { BodyObject } from '../identify/body-part.js';
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
