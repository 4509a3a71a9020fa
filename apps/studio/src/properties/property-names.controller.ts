import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import type { PropertyNames } from './property-names.js';
import { SeenPropertiesService } from './seen-properties.service.js';

@Controller('api/:environment/property-names')
@ForViewers()
export class PropertyNamesController {
  constructor(@Inject(SeenPropertiesService) private readonly seen: SeenPropertiesService) {}

  @Get()
  list(@Param() _params: EnvironmentParams): Promise<PropertyNames> {
    return this.seen.names();
  }
}
