import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type { BodyObject } from './body-part.js';
import { IsEventText, IsIdentifier, IsProperties, MayBeMissing } from './subject-body.js';

const TRAITS = {
  type: Object,
  additionalProperties: true,
  required: false,
  description: 'What `properties` is elsewhere',
} as const;

/** Segment's `identify` event; the rest of its envelope is ignored (U5). */
@ApiSchema({ name: 'SegmentIdentify' })
export class SegmentIdentifyBody {
  @ApiProperty({ enum: ['identify'] })
  type: string;

  @IsIdentifier()
  @ApiProperty({ minLength: 1, maxLength: 512 })
  userId: string;

  @MayBeMissing()
  @IsProperties()
  @ApiProperty(TRAITS)
  traits?: object;

  constructor({ userId, traits }: BodyObject) {
    this.userId = userId as string;
    this.traits = traits as object;
  }
}

/** Segment's `group` event: the group, and the user in it where one is named (U5). */
@ApiSchema({ name: 'SegmentGroup' })
export class SegmentGroupBody {
  @ApiProperty({ enum: ['group'] })
  type: string;

  @IsIdentifier()
  @ApiProperty({ minLength: 1, maxLength: 512 })
  groupId: string;

  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsIdentifier()
  @ApiProperty({ type: String, minLength: 1, maxLength: 512, required: false, nullable: true })
  userId?: string | null;

  @MayBeMissing()
  @IsProperties()
  @ApiProperty(TRAITS)
  traits?: object;

  constructor({ groupId, userId, traits }: BodyObject) {
    this.groupId = groupId as string;
    this.userId = userId as string | null;
    this.traits = traits as object;
  }
}

/** Segment's `track` event; its `properties` are ignored (Z2). */
@ApiSchema({ name: 'SegmentTrack' })
export class SegmentTrackBody {
  @ApiProperty({ enum: ['track'] })
  type: string;

  @IsIdentifier()
  @ApiProperty({ minLength: 1, maxLength: 512 })
  userId: string;

  @IsEventText()
  @ApiProperty({ minLength: 1, maxLength: 128 })
  event: string;

  @MayBeMissing()
  @IsEventText()
  @ApiProperty({
    minLength: 1,
    maxLength: 128,
    required: false,
    description: 'The id of the event',
  })
  messageId?: string;

  constructor({ userId, event, messageId }: BodyObject) {
    this.userId = userId as string;
    this.event = event as string;
    this.messageId = messageId as string;
  }
}
