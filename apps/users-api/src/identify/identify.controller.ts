import { Controller, HttpCode, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiSchema,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Identify, type IdentifyRequest, Track, type TrackRequest } from '@waymark/domain/users';
import { RequiresKey, ApiRefusals, FromRequest } from '@waymark/service-kit/http';
import {
  MAX_BATCH,
  parseBatch,
  parseGroup,
  parseSegment,
  parseUser,
  parseUserOfPath,
} from './parse-identify.js';
import { SegmentGroupBody, SegmentIdentifyBody, SegmentTrackBody } from './segment-body.js';
import { GroupBody, UserBody } from './subject-body.js';

/** How many users, or users and groups, were written. */
@ApiSchema({ name: 'Count' })
export class Count {
  @ApiProperty({ type: 'integer', minimum: 0 })
  count: number;
}

export const WRITTEN = { description: 'Written and durable' };

@ApiTags('identify')
@ApiRefusals(400, 401, 413, 415, 503)
@RequiresKey('users')
@Controller('identify')
export class IdentifyController {
  constructor(
    private readonly identify: Identify,
    private readonly track: Track,
  ) {}

  @Post()
  @HttpCode(204)
  @ApiOperation({ summary: 'Write a user, and the groups the user belongs to' })
  @ApiBody({ type: UserBody })
  @ApiNoContentResponse(WRITTEN)
  identifyUser(@FromRequest(parseUser) request: IdentifyRequest): Promise<void> {
    return this.identify.run(request);
  }

  @Post('group')
  @HttpCode(204)
  @ApiOperation({ summary: 'Write a group' })
  @ApiBody({ type: GroupBody })
  @ApiNoContentResponse(WRITTEN)
  identifyGroup(@FromRequest(parseGroup) request: IdentifyRequest): Promise<void> {
    return this.identify.run(request);
  }

  @Post('batch')
  @HttpCode(200)
  @ApiOperation({
    summary: `Write up to ${MAX_BATCH} users: all of them or, if one is refused, none`,
  })
  @ApiBody({
    schema: { type: 'array', maxItems: MAX_BATCH, items: { $ref: getSchemaPath(UserBody) } },
  })
  @ApiOkResponse({ ...WRITTEN, type: Count })
  async identifyUsers(@FromRequest(parseBatch) request: IdentifyRequest): Promise<Count> {
    return this.identify.run(request).then(() => ({ count: request.users.length }));
  }

  @Post('segment')
  @HttpCode(200)
  @ApiOperation({ summary: 'Take an event of a Segment webhook: identify, group or track' })
  @ApiExtraModels(SegmentIdentifyBody, SegmentGroupBody, SegmentTrackBody)
  @ApiBody({
    schema: {
      oneOf: [
        { $ref: getSchemaPath(SegmentIdentifyBody) },
        { $ref: getSchemaPath(SegmentGroupBody) },
        { $ref: getSchemaPath(SegmentTrackBody) },
      ],
    },
  })
  @ApiOkResponse({ ...WRITTEN, type: Count })
  async identifySegment(
    @FromRequest(parseSegment) request: IdentifyRequest | TrackRequest,
  ): Promise<Count> {
    if ('events' in request) return this.track.run(request).then(() => ({ count: 1 }));
    return this.identify
      .run(request)
      .then(() => ({ count: request.users.length + request.groups.length }));
  }

  @Post(':identifier')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Write a user named in the path; the old form, the body is the properties themselves',
  })
  @ApiParam({
    name: 'identifier',
    schema: { type: 'string', minLength: 1, maxLength: 512 },
    description: 'Percent-encoded; `group`, `batch` and `segment` are other routes',
  })
  @ApiBody({ schema: { type: 'object', additionalProperties: true }, required: false })
  @ApiNoContentResponse(WRITTEN)
  identifyUserOfPath(@FromRequest(parseUserOfPath) request: IdentifyRequest): Promise<void> {
    return this.identify.run(request);
  }
}
