import { Module } from '@nestjs/common';

/** Everything the users API serves besides health and docs. */
@Module({})
export class AppModule {}
