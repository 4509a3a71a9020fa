import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ForEverybody } from '../access/route-access.js';
import { EditionQuery, VisitorDto } from './edition-query.dto.js';
import { SeeItService } from './see-it.service.js';

/**
 * A sample application, in the local stack only (N11): it knows no more than the public key that is
 * printed with it.
 */
@Controller('see-it')
@ForEverybody()
export class SeeItController {
  constructor(private readonly seeIt: SeeItService) {}

  @Get()
  page(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply.headers(this.seeIt.headers());
    return this.seeIt.page();
  }

  @Get('edition')
  edition(@Query() asked: EditionQuery): Promise<{ edition: string }> {
    return this.seeIt.edition(asked);
  }

  @Get('picture')
  async picture(
    @Query() asked: EditionQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const svg = await this.seeIt.picture(asked);
    void reply.header('content-type', 'image/svg+xml');
    return svg;
  }

  /** Flows are shown to users whom a backend has identified; the sample application has none. */
  @Post('user')
  @HttpCode(204)
  welcome(@Body() { user }: VisitorDto): Promise<void> {
    return this.seeIt.welcome(user);
  }
}
