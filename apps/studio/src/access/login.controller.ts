import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsString, MaxLength } from 'class-validator';
import { LoginService } from './login.service.js';
import type { Me } from './me.js';
import { ForEverybody } from './route-access.js';

/** What the page found behind the # of its address. */
class TokenLoginDto {
  @IsString()
  @MaxLength(200)
  token: string;
}

@Controller()
@ForEverybody()
export class LoginController {
  constructor(@Inject(LoginService) private readonly login: LoginService) {}

  @Get('api/me')
  me(@Req() request: FastifyRequest): Promise<Me> {
    return this.login.describe(request);
  }

  @Post('api/login')
  @HttpCode(204)
  takeToken(
    @Body() { token }: TokenLoginDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.login.takeToken(token, reply);
  }

  @Get('login')
  begin(@Res() reply: FastifyReply): Promise<void> {
    return this.login.begin(reply);
  }

  @Get('login/callback')
  callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.login.callback(request, reply);
  }

  @Post('api/logout')
  @HttpCode(204)
  leave(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.login.leave(request, reply);
  }
}
