import { Controller, Get, Inject } from '@nestjs/common';
import { ForViewers } from '../access/route-access.js';
import { EnvironmentsService } from './environments.service.js';

@Controller('api/environments')
@ForViewers()
export class EnvironmentsController {
  constructor(@Inject(EnvironmentsService) private readonly environments: EnvironmentsService) {}

  @Get()
  list(): Promise<{ environments: string[] }> {
    return this.environments.list();
  }
}
