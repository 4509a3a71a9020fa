import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { Refusal } from '@waymark/service-kit/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForEverybody } from '../access/route-access.js';
import { type Asset, ASSETS } from './asset.js';

/** Names have a hash of the content in them. */
const FOR_EVER = 'public, max-age=31536000, immutable';

@Controller()
@ForEverybody()
export class AssetsController {
  constructor(@Inject(ASSETS) private readonly assets: ReadonlyMap<string, Asset>) {}

  @Get('assets/:file')
  asset(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    send(this.assets.get(file), FOR_EVER, request, reply);
  }

  /** Every other address is a view of the page, which reads it. */
  @Get('*')
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (request.url.startsWith('/api/')) throw new Refusal(404, 'there is nothing here');
    send(this.assets.get('index.html'), 'no-cache', request, reply);
  }
}

function send(
  asset: Asset | undefined,
  lasts: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  if (!asset)
    throw new Refusal(
      404,
      'there is no such file; the studio was probably updated, so load the page again',
    );
  const isGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  void reply
    .headers({ 'content-type': asset.type, 'cache-control': lasts, vary: 'accept-encoding' })
    .headers(isGzip ? { 'content-encoding': 'gzip' } : {})
    .send(isGzip ? asset.gzipped : asset.content);
}
