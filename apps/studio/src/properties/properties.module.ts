import { Module } from '@nestjs/common';
import { PropertyNamesController } from './property-names.controller.js';
import { SeenPropertiesService } from './seen-properties.service.js';

@Module({
  controllers: [PropertyNamesController],
  providers: [SeenPropertiesService],
  exports: [SeenPropertiesService],
})
export class PropertiesModule {}
