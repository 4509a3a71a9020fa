import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsService } from './endpoints.service.js';

@Module({ imports: [EnvironmentsModule], controllers: [EndpointsController], providers: [EndpointsService] })
export class EndpointsModule {}
