import { Module } from '@nestjs/common';
import { EffectsModule } from './effects/effects.module.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { FlowsModule } from './flows/flows.module.js';
import { LiveModule } from './live/live.module.js';

/** Everything the blocks API serves besides health and docs. */
@Module({ imports: [FlowsModule, EffectsModule, EndpointsModule, LiveModule] })
export class AppModule {}
