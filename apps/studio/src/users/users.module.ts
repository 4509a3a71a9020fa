import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({ imports: [EnvironmentsModule], controllers: [UsersController], providers: [UsersService] })
export class UsersModule {}
