import { Module } from '@nestjs/common';
import { IdentifyModule } from './identify/identify.module.js';

/** Everything the users API serves besides health and docs. */
@Module({ imports: [IdentifyModule] })
export class AppModule {}
