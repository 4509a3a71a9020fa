import { Module, Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@waymark/service-kit/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Scripts } from './scripts.js';

/** What pages load to show flows without a component of their own (N1). */
@ApiExcludeController()
@Public()
@Controller()
class ElementsController {
  constructor(private readonly scripts: Scripts) {}

  @Get('elements.js')
  script(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.scripts.answer('elements.js', request, reply);
  }

  @Get('elements-debug.js')
  panel(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.scripts.answer('elements-debug.js', request, reply);
  }
}

@Module({ controllers: [ElementsController], providers: [Scripts] })
export class ElementsModule {}
