import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';

@Module({ imports: [EnvironmentsModule], controllers: [OperationsController], providers: [OperationsService] })
export class OperationsModule {}
