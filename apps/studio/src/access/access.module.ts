import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { Oidc } from './oidc.js';

@Module({
  controllers: [LoginController],
  providers: [LoginService, Oidc, { provide: APP_GUARD, useClass: AccessGuard }],
})
export class AccessModule {}
