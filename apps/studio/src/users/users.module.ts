import { Module } from '@nestjs/common';
import { UserActionsController } from './user-actions.controller.js';
import { UserActionsService } from './user-actions.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  controllers: [UsersController, UserActionsController],
  providers: [UsersService, UserActionsService],
})
export class UsersModule {}
