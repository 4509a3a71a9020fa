import { Controller, HttpCode, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Track, type TrackRequest } from '@waymark/domain/users';
import { ApiRefusals, FromRequest, RequiresKey } from '@waymark/service-kit/http';
import { Count, WRITTEN } from '../identify/identify.controller.js';
import { MAX_BATCH } from '../identify/parse-identify.js';
import { parseTrack, parseTrackBatch, TrackBody } from './track-body.js';

/** Takes events of users, which conditions can look at (Z2). */
@ApiTags('track')
@ApiRefusals(400, 401, 413, 415, 503)
@RequiresKey('users')
@Controller('track')
export class TrackController {
  constructor(private readonly track: Track) {}

  @Post()
  @HttpCode(204)
  @ApiOperation({ summary: 'Count something that a user did' })
  @ApiBody({ type: TrackBody })
  @ApiNoContentResponse(WRITTEN)
  trackEvent(@FromRequest(parseTrack) request: TrackRequest): Promise<void> {
    return this.track.run(request);
  }

  @Post('batch')
  @HttpCode(200)
  @ApiOperation({
    summary: `Count up to ${MAX_BATCH} events: all of them or, if one is refused, none`,
  })
  @ApiBody({
    schema: { type: 'array', maxItems: MAX_BATCH, items: { $ref: getSchemaPath(TrackBody) } },
  })
  @ApiOkResponse({ ...WRITTEN, type: Count })
  async trackEvents(@FromRequest(parseTrackBatch) request: TrackRequest): Promise<Count> {
    await this.track.run(request);
    return { count: request.events.length };
  }
}
