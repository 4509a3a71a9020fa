import { Module } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { Identify } from '@waymark/domain/users';
import { IdentifyController } from './identify.controller.js';

@Module({
  controllers: [IdentifyController],
  providers: [{ provide: Identify, useFactory: (database: Database) => new Identify(database), inject: [Database] }],
})
export class IdentifyModule {}
